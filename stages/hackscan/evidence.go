package hackscan

import (
	"math"
	"slices"
)

// pairsShown is how many pairs of rollouts show a feature.
const pairsShown = 3

// show adds the evidence for the features that are listed and above the floor.
func (r *Report) show(list []ranked, m *matrix, o *Options) {
	var sums taskSums
	for _, f := range list[:listed(len(list), o)] {
		if f.above {
			r.Evidence = append(r.Evidence, sums.evidence(f.feature, m))
		}
	}
}

// taskSums are the sums of a feature over each task.
type taskSums struct {
	tasks []taskSum // by group
	met   []uint32
}

type taskSum struct {
	total, squares float64
	paid           float64 // of value x centred reward
}

// evidence looks for tasks whose rollouts differ in a feature.
func (s *taskSums) evidence(f *feature, m *matrix) Evidence {
	if s.tasks == nil {
		s.tasks = make([]taskSum, len(m.groups.size))
	}
	var rows []uint16
	var vals []float64
	for i := range f.chunks {
		rows, vals = f.chunks[i].entries(rows[:0], vals[:0])
		for j, row := range rows {
			at := i*chunkRows + int(row)
			k := m.groups.of[at]
			t := &s.tasks[k]
			if t.squares == 0 {
				s.met = append(s.met, k)
			}
			t.total += vals[j]
			t.squares += float64(vals[j] * vals[j])
			t.paid += float64(vals[j] * (m.rewards.at(at) - m.groups.mean[k]))
		}
	}
	slices.Sort(s.met)
	e := Evidence{Feature: f.name, Pairs: []Pair{}}
	for _, k := range s.met {
		t, size := s.tasks[k], float64(m.groups.size[k])
		s.tasks[k] = taskSum{}
		const noise = 1e-9 // of sums of floats
		if t.squares-t.total*t.total/size <= noise*t.squares {
			continue
		}
		e.Tasks++
		paid := t.paid * math.Copysign(1, f.rho)
		switch least := noise * math.Sqrt(t.squares); {
		case paid > least:
			e.Agree++
			if len(e.Pairs) < pairsShown {
				if p, ok := m.pair(f, k); ok {
					e.Pairs = append(e.Pairs, p)
				}
			}
		case paid < -least:
			e.Against++
		}
	}
	s.met = s.met[:0]
	return e
}

// pair finds the two rollouts of a task that differ most in a feature, of those
// whose rewards differ as the correlation says; the first ones where several do.
func (m *matrix) pair(f *feature, group uint32) (best Pair, found bool) {
	i, _ := slices.BinarySearch(m.groups.multi, group)
	rows := m.groups.members(i)
	examples := make([]Example, len(rows))
	for j, row := range rows {
		examples[j] = Example{m.at.at(int(row)), f.at(int(row)), m.rewards.at(int(row))}
	}
	for _, more := range examples {
		for _, less := range examples {
			gap := more.Value - less.Value
			if gap > 0 && (more.Reward-less.Reward)*f.rho > 0 && (!found || gap > best.More.Value-best.Less.Value) {
				best, found = Pair{more, less}, true
			}
		}
	}
	return best, found
}
