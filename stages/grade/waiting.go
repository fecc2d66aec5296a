package grade

import (
	"context"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// waiting is a stage of a grader that works on many rows at a time and may be
// given up. What counts and writes stands behind the calls, so that a result
// that comes late changes nothing.
type waiting struct{ *stage }

// verdict is a row and what the grader thinks of it.
type verdict struct {
	row    rollout.Row
	result Result
}

// Position says where the row came from, for errors of a flow.
func (v verdict) Position() stream.Pos { return v.row.Pos }

// Apply puts the stage behind a flow.
func (w *waiting) Apply(rows stream.Flow[rollout.Row]) stream.Flow[rollout.Row] {
	graded := stream.Through(rows, stream.Each(w.one, stream.Name(w.name),
		stream.InFlight(w.inFlight), stream.GiveUp(w.timeout, w.late)))
	return stream.Through(graded, stream.Map(1, w.write, stream.Name(w.name+", written")))
}

// Run grades what comes from a channel. Flows use Apply.
func (w *waiting) Run(ctx context.Context, in <-chan stream.Batch[rollout.Row], out chan<- stream.Batch[rollout.Row]) error {
	return stream.Pipe(ctx, in, out, w.Apply)
}

// one grades a row. The row is a copy of its own, for a call that is given up
// goes on reading it.
func (w *waiting) one(ctx context.Context, row rollout.Row) (verdict, error) {
	r, err := w.guarded(ctx, &row)
	switch {
	case ctx.Err() != nil:
		return verdict{}, ctx.Err() // it is late, or the run stops
	case err != nil:
		r = failed(err)
	}
	return w.verdict(row, r)
}

func (w *waiting) guarded(ctx context.Context, row *rollout.Row) (r Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			r, err = panicked(v), nil
		}
	}()
	return w.grader.Grade(ctx, row)
}

// late is the verdict on a row whose grader was given up.
func (w *waiting) late(row rollout.Row, late error) (verdict, error) {
	return w.verdict(row, timedOut(late, w.timeout))
}

// verdict is what there is to write to a row. A failure counts at once, for rows
// before it in its batch may take long.
func (w *waiting) verdict(row rollout.Row, r Result) (verdict, error) {
	r.settle()
	return verdict{row, r}, w.budget.spend(row.Pos, &r)
}

// write counts the verdicts of a batch and writes them to its rows.
func (w *waiting) write(_ context.Context, b stream.Batch[verdict]) (stream.Batch[rollout.Row], error) {
	rows, results := make([]rollout.Row, len(b.Items)), make([]Result, len(b.Items))
	for i := range b.Items {
		rows[i], results[i] = b.Items[i].row, b.Items[i].result
	}
	w.count(b.Seq, results)
	w.stamp.rows(rows, results)
	return stream.Carry(b, rows), nil
}
