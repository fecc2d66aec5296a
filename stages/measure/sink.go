package measure

import (
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Sink ends a flow at an accumulator: workers count a batch each, and one
// goroutine merges what they counted, so that memory does not grow with the
// workers. The result is the same for any number of them, at least 1. When the
// flow has ended, so has the counting.
func Sink(a *Accumulator, workers int) stream.Sink[rollout.Row] {
	if workers < 1 {
		panic("measure: Sink wants at least 1 worker")
	}
	return stream.Gather(workers, func(b *stream.Batch[rollout.Row]) *Accumulator {
		part := New(a.o)
		part.Add(b.Items)
		return part
	}, a.Merge, stream.Name("measure"))
}
