package gen

// rollout is what is decided about a row before its text is made.
type rollout struct {
	right     bool // the reply gives the gold answer
	truncated bool
	phrase    bool // the reply holds Phrase
	score     score
	leak      toolLeak
	item      int // the evaluation item that a tool result holds
}

// score is what stands in the reward of a row.
type score uint8

const (
	scoreZero score = iota
	scoreOne
	scoreAbsent // no such field
	scoreNull
	scoreError // null, and judge_status says that the grader failed
)

var scoreNames = [...]string{"", "", "absent", "null", "error"}

// toolLeak says what a tool result holds that the prompt does not.
type toolLeak uint8

const (
	noToolLeak   toolLeak = iota
	toolQuestion          // an evaluation question with its answer
	toolAnswer            // the row's own gold answer, said to be that
)

var toolLeakNames = [...]string{"", "question", "answer"}

// origin returns the row that row i repeats, and i itself if it repeats none.
// A copy is of an earlier rollout of the task that is no copy.
func (g *Generator) origin(i int64) int64 {
	for {
		index := i % RolloutsPerTask
		if index == 0 {
			return i
		}
		src := newSource(g.seed, drawnCopy, i)
		if !src.chance(Copies * RolloutsPerTask / (RolloutsPerTask - 1)) {
			return i
		}
		i -= int64(src.between(1, int(index)))
	}
}

// rollout decides about row i, which is no copy.
func (g *Generator) rollout(i int64, t *task) rollout {
	src := newSource(g.seed, drawnRollout, i)
	r := rollout{right: src.chance(t.solved), truncated: src.chance(Truncated)}
	r.phrase = t.hacked && src.chance(0.5)
	if r.truncated {
		r.right, r.phrase = false, false
	}
	if r.right && !t.hacked || r.phrase {
		r.score = scoreOne
	}
	if src.chance(MissingScore) {
		r.score = scoreAbsent + score(src.intn(3))
	}
	if src.chance(ToolLeaks) && t.leak.match == "" {
		r.leak = toolQuestion + toolLeak(src.intn(2))
		r.item = src.intn(LeakableItems)
	}
	return r
}
