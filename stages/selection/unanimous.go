package selection

// unanimous finds the tasks of at least min verdicts that are all equal: their
// group-relative advantages are zero.
func (t *table) unanimous(least int) []Gate {
	gates := make([]Gate, t.tasks)
	for task, s := range t.scores() {
		if int(s.n) >= max(2, least) && s.unanimous() {
			gates[task] = GateUnanimous
		}
	}
	return gates
}

// dropUnanimous drops their rows.
func (t *table) dropUnanimous(least int) (rows, tasks int) { return t.dropTasks(t.unanimous(least)) }

// dropCollapsed drops the tasks that had two or more rows before and of which
// what is left has one verdict. before counts the rows of each task. A task that
// had one row from the start stays. Tasks of which only rows without a vote are
// left go too, and are not counted.
func (t *table) dropCollapsed(before []uint32) (tasks int) {
	gates := make([]Gate, t.tasks)
	now := t.counts()
	for task, s := range t.scores() {
		switch {
		case now[task] > 0 && s.n == 0:
			gates[task] = GateOverlong
		case s.n > 0 && before[task] >= 2 && s.unanimous():
			gates[task] = GateCollapsed
			tasks++
		}
	}
	t.dropTasks(gates)
	return tasks
}
