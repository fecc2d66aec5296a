package rollout

// Status is what became of a row's grading: one of the five words of
// judge_status, or StatusAbsent.
type Status uint8

const (
	StatusAbsent        Status = iota
	StatusOK                   // graded
	StatusMissingReward        // the grader answered without a reward
	StatusInvalidResult        // the grader answered something unreadable
	StatusError                // the grader failed
	StatusTimeout              // the grader did not answer in time
)

var statusWords = [...]string{"", "ok", "missing_reward", "invalid_result", "error", "timeout"}

// String returns the word of judge_status, "" for StatusAbsent.
func (s Status) String() string { return statusWords[s] }

// ParseStatus returns the status of a word of judge_status. ok is false for
// any other text, the empty one included.
func ParseStatus(word string) (s Status, ok bool) {
	for i, w := range statusWords[1:] {
		if w == word {
			return Status(i + 1), true
		}
	}
	return StatusAbsent, false
}

// State says whether a row has a score. A failure of the machinery is never a
// score: an unscored row is counted, and never read as 0.
type State uint8

const (
	Unscored State = iota // no reward, or the grader failed or timed out
	Scored                // the reward is a finite number
	Invalid               // a reward is there and is not a number
)

func (s State) String() string { return [...]string{"unscored", "scored", "invalid"}[s] }

// State derives whether the row is scored from its status and its reward
// (spec of rows, section 2.1). A numeric text such as "0.5" counts as a number.
func (r *Row) State() State {
	switch r.Status {
	case StatusMissingReward, StatusError, StatusTimeout:
		return Unscored
	case StatusInvalidResult:
		return Invalid
	}
	switch r.Reward.Kind() {
	case KindAbsent, KindNull:
		return Unscored
	}
	if _, ok := r.Reward.Float(); ok {
		return Scored
	}
	return Invalid
}
