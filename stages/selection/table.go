package selection

// table is the rows of mode RL while gates thin them out. Each gate is one
// method; it sets the gate of the rows that it drops and skips those that
// earlier gates dropped.
type table struct {
	rows    column[rlSketch]
	tasks   int
	prompts int
	gates   []Gate
	carried map[uint32]carriedRate // of tasks without labels
	policy  Truncation
}

// alive yields the rows that no gate has dropped so far, in order.
func (t *table) alive(yield func(int, *rlSketch) bool) {
	for i := range t.gates {
		if t.gates[i] == Kept && !yield(i, t.rows.at(i)) {
			return
		}
	}
}

// rows that are left.
func (t *table) left() (n int) {
	for _, g := range t.gates {
		if g == Kept {
			n++
		}
	}
	return n
}

// penalized tells whether the reward of a row is 0 by the rule on overlong replies.
func (t *table) penalized(s *rlSketch) bool {
	return t.policy == PenalizeTruncated && s.marks.has(markCut)
}

// label is the verdict of a row after the rule on overlong replies.
func (t *table) label(s *rlSketch) (pass, ok bool) {
	if t.penalized(s) {
		return false, true
	}
	return s.marks.has(markPassed), s.marks.has(markLabelled)
}

// rides tells whether a row has no vote on its task: it was cut off, and the
// policy is to keep it.
func (t *table) rides(s *rlSketch) bool {
	return t.policy == KeepTruncated && s.marks.has(markCut)
}

// score counts the verdicts of a task.
type score struct{ n, passes uint32 }

func (s *score) add(pass bool) {
	s.n++
	if pass {
		s.passes++
	}
}

func (s score) rate() float64 { return float64(s.passes) / float64(s.n) }

// unanimous tells whether all verdicts are equal.
func (s score) unanimous() bool { return s.passes == 0 || s.passes == s.n }

// scores counts the verdicts of the rows that are left and have a vote.
func (t *table) scores() []score {
	list := make([]score, t.tasks)
	for _, s := range t.alive {
		if t.rides(s) {
			continue
		}
		if pass, ok := t.label(s); ok {
			list[s.task].add(pass)
		}
	}
	return list
}

// incoming counts the verdicts as they came, of the rows that are left.
func (t *table) incoming() []score {
	list := make([]score, t.tasks)
	for _, s := range t.alive {
		if s.marks.has(markLabelled) {
			list[s.task].add(s.marks.has(markPassed))
		}
	}
	return list
}

// counts is how many rows of each task are left.
func (t *table) counts() []uint32 {
	list := make([]uint32, t.tasks)
	for _, s := range t.alive {
		list[s.task]++
	}
	return list
}

// dropTasks drops the rows of tasks by the gate that a list says for each, and
// returns how many rows and tasks went.
func (t *table) dropTasks(gates []Gate) (rows, tasks int) {
	for i, s := range t.alive {
		if g := gates[s.task]; g != Kept {
			t.gates[i] = g
			rows++
		}
	}
	for _, g := range gates {
		if g != Kept {
			tasks++
		}
	}
	return rows, tasks
}
