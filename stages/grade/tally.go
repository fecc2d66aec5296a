package grade

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Counts says what became of rows that were graded.
type Counts struct {
	Rows    int64 `json:"rows"`
	Passed  int64 `json:"passed"`  // reward exactly 1
	Failed  int64 `json:"failed"`  // reward exactly 0
	Partial int64 `json:"partial"` // a reward between
	// Unscored rows have no reward; they are in no rate.
	Unscored []Unscored `json:"unscored,omitempty"`

	Usage Usage `json:"usage,omitzero"`
}

// Unscored is how many rows have no reward for one reason.
type Unscored struct {
	Status rollout.Status `json:"-"`
	Word   string         `json:"status"` // of the status
	Reason string         `json:"reason"` // the first characters of it; "" where none was given
	Rows   int64          `json:"rows"`
}

// Scored is how many rows have a reward.
func (c *Counts) Scored() int64 { return c.Passed + c.Failed + c.Partial }

const (
	maxWhy     = 80   // bytes of a reason by which unscored rows are told apart
	maxReasons = 1000 // reasons that are told apart
)

// OtherReasons stands for all reasons behind the first thousand.
const OtherReasons = "(other reasons)"

// Tally counts what becomes of rows. It is safe for concurrent use, by several
// stages too.
type Tally struct {
	mu struct {
		sync.Mutex
		counts   Counts
		unscored map[unscored]int64
	}
}

type unscored struct {
	status rollout.Status
	reason string
}

// Counts returns what was counted so far, reasons by status and then by their
// number of rows.
func (t *Tally) Counts() Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.mu.counts
	c.Unscored = nil
	for u, n := range t.mu.unscored {
		c.Unscored = append(c.Unscored, Unscored{u.status, u.status.String(), u.reason, n})
	}
	slices.SortFunc(c.Unscored, func(a, b Unscored) int {
		return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(b.Rows, a.Rows), strings.Compare(a.Reason, b.Reason))
	})
	return c
}

// add counts results. A nil tally counts nothing.
func (t *Tally) add(results []Result) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	c := &t.mu.counts
	c.Rows += int64(len(results))
	for i := range results {
		r := &results[i]
		c.Usage = c.Usage.Plus(r.Usage)
		switch {
		case !r.OK():
			t.unscoredLocked(unscored{r.Status, strings.ToValidUTF8(cut(r.why(), maxWhy), "\uFFFD")}, 1)
		case r.Reward == 1:
			c.Passed++
		case r.Reward == 0:
			c.Failed++
		default:
			c.Partial++
		}
	}
}

func (t *Tally) unscoredLocked(u unscored, rows int64) {
	if t.mu.unscored == nil {
		t.mu.unscored = map[unscored]int64{}
	}
	if n, ok := t.mu.unscored[u]; ok {
		t.mu.unscored[u] = n + rows
		return
	}
	u.reason = strings.Clone(u.reason) // it may point into the block of a row
	if len(t.mu.unscored) >= maxReasons {
		u.reason = OtherReasons
	}
	t.mu.unscored[u] += rows
}

// why says why there is no reward: the reason, else the error, else what was
// found in its place.
func (r *Result) why() string {
	if r.Reason != "" {
		return r.Reason
	}
	for i := range r.Meta {
		if m := &r.Meta[i]; m.Name == metaError {
			return rollout.ScalarText(m.JSON)
		}
	}
	if len(r.Meta) > 0 {
		return r.Meta[0].Name + " " + rollout.ScalarText(r.Meta[0].JSON)
	}
	return ""
}
