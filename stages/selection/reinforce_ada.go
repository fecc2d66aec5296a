package selection

import "fmt"

// ReinforceAda samples a prompt in rounds until it has shown both successes and
// failures, and keeps a balanced few of them (Xiong et al. 2025,
// arXiv:2510.04996; spec of gates, section 8). The zero value is the default of
// the reference.
type ReinforceAda struct {
	Keep      int  // samples kept of a prompt, at least 2; default 4
	RoundSize int  // samples drawn a round, at least Keep; default 8
	MaxRounds int  // default 4
	Positive  bool // one success ends the rounds; default: Keep / 2 of each kind, rounded up for failures
	// Threshold is what a reward must exceed to be a success; default 0.7.
	Threshold float64
}

// AdaSample is what was kept of one prompt.
type AdaSample struct {
	Rewards    []float64 // successes first, each kind in the order of the draws
	Advantages []float64 // reward - PassRate, not divided by anything
	PassRate   float64   // of all that was drawn
	Drawn      int
	Retired    bool // the rounds ended since enough was seen
}

func (a ReinforceAda) withDefaults() (ReinforceAda, error) {
	setDefault(&a.Keep, 4)
	setDefault(&a.RoundSize, 8)
	setDefault(&a.MaxRounds, 4)
	setDefault(&a.Threshold, 0.7)
	switch {
	case a.Keep < 2:
		return a, fmt.Errorf("selection: Reinforce-Ada keeps %d: want at least 2", a.Keep)
	case a.RoundSize < a.Keep:
		return a, fmt.Errorf("selection: Reinforce-Ada draws %d a round and keeps %d: want as many at least", a.RoundSize, a.Keep)
	case a.MaxRounds < 1:
		return a, fmt.Errorf("selection: Reinforce-Ada has %d rounds: want at least 1", a.MaxRounds)
	}
	return a, nil
}

// Sample draws for one prompt: draw gives the rewards of n further samples, or
// fewer when there are no more.
func (a ReinforceAda) Sample(draw func(n int) []float64) (*AdaSample, error) {
	a, err := a.withDefaults()
	if err != nil {
		return nil, err
	}
	var right, wrong []float64
	s := &AdaSample{}
	for range a.MaxRounds {
		for _, reward := range draw(a.RoundSize) {
			if reward > a.Threshold {
				right = append(right, reward)
			} else {
				wrong = append(wrong, reward)
			}
		}
		if s.Retired = a.enough(len(right), len(wrong)); s.Retired {
			break
		}
	}
	s.Drawn = len(right) + len(wrong)
	if s.Drawn < a.Keep {
		return nil, fmt.Errorf("selection: Reinforce-Ada got %d samples of a prompt and keeps %d", s.Drawn, a.Keep)
	}
	s.PassRate = float64(len(right)) / float64(s.Drawn)
	nRight := min(a.Keep/2, len(right))
	nWrong := min(a.Keep-nRight, len(wrong))
	nRight = min(a.Keep-nWrong, len(right))
	s.Rewards = append(append(s.Rewards, right[:nRight]...), wrong[:nWrong]...)
	for _, r := range s.Rewards {
		s.Advantages = append(s.Advantages, r-s.PassRate)
	}
	return s, nil
}

// enough tells whether a prompt has shown enough.
func (a ReinforceAda) enough(right, wrong int) bool {
	if a.Positive {
		return right >= 1
	}
	return right >= a.Keep/2 && wrong >= a.Keep-a.Keep/2
}
