package grade

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/rollmill/rollmill/formats/rollout"
)

// MarshalJSON saves what was counted, as [Counts] are written.
func (t *Tally) MarshalJSON() ([]byte, error) {
	c := t.Counts()
	return json.Marshal(&c, json.Deterministic(true))
}

// UnmarshalJSON takes what MarshalJSON saved in the place of what was counted.
func (t *Tally) UnmarshalJSON(text []byte) error {
	var c Counts
	if err := json.Unmarshal(text, &c); err != nil {
		return fmt.Errorf("grade: a saved tally: %w", err)
	}
	reasons := make(map[unscored]int64, len(c.Unscored))
	for _, u := range c.Unscored {
		status, ok := rollout.ParseStatus(u.Word)
		if !ok && u.Word != "" {
			return fmt.Errorf("grade: a saved tally: %q is no status", u.Word)
		}
		reasons[unscored{status, u.Reason}] = u.Rows
	}
	c.Unscored = nil
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mu.counts, t.mu.unscored = c, reasons
	return nil
}

// Merge adds what another tally has counted.
func (t *Tally) Merge(o *Tally) {
	c := o.Counts()
	t.mu.Lock()
	defer t.mu.Unlock()
	sum := &t.mu.counts
	sum.Rows += c.Rows
	sum.Passed += c.Passed
	sum.Failed += c.Failed
	sum.Partial += c.Partial
	sum.Usage = sum.Usage.Plus(c.Usage)
	for _, u := range c.Unscored {
		t.unscoredLocked(unscored{u.Status, u.Reason}, u.Rows)
	}
}

// Failures is how many of the rows the grader failed on, by an error, a panic or a
// timeout: those that [Budget] counts.
func (c *Counts) Failures() (n int64) {
	for _, u := range c.Unscored {
		if u.Status == rollout.StatusError || u.Status == rollout.StatusTimeout {
			n += u.Rows
		}
	}
	return n
}
