package selection

import (
	"math/bits"

	"github.com/rollmill/rollmill/stats"
)

// Duplicates says which rows repeat another: the same prompt, the same behaviour
// by its signature, the same reply but for case and white space (spec of gates,
// section 3). The first row stays.
type Duplicates struct {
	Rows          stats.Null[int]     `json:"n,omitzero"`
	Kept          stats.Null[int]     `json:"n_kept,omitzero"`
	Dropped       int                 `json:"n_dropped"`
	Prompts       int                 `json:"groups_affected"`
	Rate          stats.Null[float64] `json:"duplicate_rate,omitzero"` // Dropped / Rows
	Contradicting int                 `json:"conflicting_rewards"`     // dropped rows whose verdict is not that of the first
}

// dropDuplicates drops the rows that repeat an earlier one.
func (t *table) dropDuplicates() Duplicates {
	n := t.left()
	slots := make([]uint32, 1<<bits.Len(uint(n+n/2+1))) // number of the row plus 1
	mask := uint64(len(slots) - 1)
	affected := make([]uint64, t.prompts/64+1)
	d := Duplicates{Rows: stats.Of(n)}
	for i, s := range t.alive {
		at := (s.twin ^ uint64(s.prompt)*0x9e3779b97f4a7c15) & mask
		for slots[at] != 0 {
			if first := t.rows.at(int(slots[at] - 1)); first.twin == s.twin && first.prompt == s.prompt {
				break
			}
			at = (at + 1) & mask
		}
		if slots[at] == 0 {
			slots[at] = uint32(i + 1)
			continue
		}
		t.gates[i] = GateDuplicate
		d.Dropped++
		affected[s.prompt/64] |= 1 << (s.prompt % 64)
		was, wasOK := t.label(t.rows.at(int(slots[at] - 1)))
		if pass, ok := t.label(s); ok && wasOK && pass != was {
			d.Contradicting++
		}
	}
	for _, word := range affected {
		d.Prompts += bits.OnesCount64(word)
	}
	d.Kept = stats.Of(n - d.Dropped)
	d.Rate = stats.Of(0.0)
	if n > 0 {
		d.Rate = stats.Of(float64(d.Dropped) / float64(n))
	}
	return d
}
