package semantic

import (
	"context"
	"math"

	"github.com/sourcegraph/conc/iter"
)

// Calibration tells how near prompts of different tasks lie anyway.
type Calibration struct {
	Known   bool    // there were at least two pairs
	P99     float64 // cosine that 99 % of the pairs do not pass, at most 1
	Pairs   int64   // pairs of prompts whose tasks are known and differ
	Prompts int     // distinct evaluation prompts
}

// TooLow says whether a threshold lies where prompts of different tasks already
// are, so that it should be raised above P99.
func (c Calibration) TooLow(similarity float64) bool { return c.Known && similarity <= c.P99 }

// Calibrate takes the 99th percentile of the cosines between evaluation prompts
// of different tasks: the value at index round(0.99 (n-1)), half to even, of n
// sorted ones. It holds about a fiftieth of the cosines, 8 bytes each, and costs
// about what Best costs for half as many texts as there are prompts.
func (r *Reference) Calibrate(ctx context.Context) (Calibration, error) {
	c := Calibration{Pairs: r.pairs(), Prompts: r.Len()}
	if c.Pairs < 2 {
		return c, nil
	}
	index := int64(math.RoundToEven(0.99 * float64(c.Pairs-1)))
	top := newTop(int(c.Pairs - index))
	slack := r.vectors.slack()

	total := int64(r.Len()) * int64(r.Len()-1) / 2
	bands := (r.Len() + side - 1) / side
	step := max(r.o.Workers, r.step()/side)
	for from := 0; from < bands; from += step {
		errs := make([]error, min(step, bands-from))
		iter.Iterator[error]{MaxGoroutines: r.o.Workers}.ForEachIdx(errs, func(k int, err *error) {
			i := (from + k) * side
			var high []float64
			*err = sweep(ctx, r.vectors, r.vectors, i, i, func(t *tile) {
				high = r.above(t, top.floor()-slack, high[:0])
				top.add(high)
			})
		})
		if err := first(errs); err != nil {
			return Calibration{}, err
		}
		left := int64(max(0, r.Len()-(from+len(errs))*side))
		r.tell(total-left*(left-1)/2, total)
	}
	c.Known, c.P99 = true, min(1, top.smallest())
	return c, nil
}

// above appends the cosines of a tile that lie above a floor by their narrow
// products, of pairs of different known tasks, each pair once.
func (r *Reference) above(t *tile, floor float64, high []float64) []float64 {
	for i := range t.rows {
		a := t.i + i
		task := r.prompts[a].Task
		if task == "" {
			continue
		}
		for k, product := range t.row(i) {
			b := t.j + k
			if float64(product) <= floor || b <= a {
				continue
			}
			if other := r.prompts[b].Task; other != "" && other != task {
				high = append(high, dot(r.vectors.row(a), r.vectors.row(b)))
			}
		}
	}
	return high
}

// pairs counts the pairs of prompts whose tasks are known and differ.
func (r *Reference) pairs() int64 {
	tasks := map[string]int64{}
	known := int64(0)
	for _, p := range r.prompts {
		if p.Task != "" {
			tasks[p.Task]++
			known++
		}
	}
	n := known * (known - 1) / 2
	for _, k := range tasks {
		n -= k * (k - 1) / 2
	}
	return n
}
