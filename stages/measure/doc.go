// Package measure counts rows into the figures of package stats: pass@k and
// pass^k, markers, slices, the two sides of a comparison, the scatter of re-runs,
// the labels of a judge and those of people.
//
//	a := measure.New(measure.Options{Markers: true})
//	_, err := stream.Run(ctx, stream.To(rows, measure.Sink(a, 4)))
//	reports, err := a.Result().PassAt(measure.PassOptions{}, 1, 4)
//
// Rows come in batches and are not kept: an [Accumulator] holds some bytes a task
// and nothing a row. Accumulators of several workers or shards merge, and what
// they have counted is the same to the last bit for any order of rows and any
// way to spread them. A row that nobody scored is in no rate and is counted
// beside it.
package measure
