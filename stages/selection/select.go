package selection

import (
	"context"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Selection is what was selected of rows in memory.
type Selection struct {
	Rows   []rollout.Row // copies of the kept rows, in order; in mode Pairs chosen and rejected in turn
	Picked []int         // which of the rows they are
	Gates  []Gate        // of each row that came in
	Report *Report
}

// Select selects from rows in memory, whose positions do not matter: their order
// is that of the slice. For many rows use an [Accumulator].
func Select(rows []rollout.Row, o Options) (*Selection, error) {
	a, err := New(o)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		a.add(&rows[i], rollout.Pos{Record: int64(i) + 1})
	}
	p, err := a.Plan(context.Background()) // rows in memory are few
	if err != nil {
		return nil, err
	}
	s := &Selection{Rows: make([]rollout.Row, len(p.order)), Picked: make([]int, len(p.order)), Gates: p.gates, Report: p.Report()}
	for rank, i := range p.order {
		s.Rows[rank], s.Picked[rank] = rows[i], int(i)
		p.Finish(&s.Rows[rank], p.pick(int(i)))
	}
	return s, nil
}

// table reads rows in memory into a table of which no gate has dropped any yet.
func tableOf(rows []rollout.Row) (*table, *Accumulator) {
	a, err := New(Options{})
	if err != nil {
		panic("selection: the default options are wrong: " + err.Error())
	}
	for i := range rows {
		a.add(&rows[i], rollout.Pos{Record: int64(i) + 1})
	}
	return &table{rows: a.rl, tasks: a.tasks.len(), prompts: a.prompt.len(), gates: make([]Gate, len(rows)), policy: DropTruncated}, a
}

// keep lists the rows of which no gate has dropped any.
func (t *table) keep(rows []rollout.Row) []rollout.Row {
	kept := make([]rollout.Row, 0, len(rows))
	for i := range t.alive {
		kept = append(kept, rows[i])
	}
	return kept
}
