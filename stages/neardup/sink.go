package neardup

import (
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Sink ends a flow at an accumulator: workers gather a batch each, and one
// goroutine merges. The result is the same for any number of them, at least 1.
func Sink(a *Accumulator, workers int) stream.Sink[rollout.Row] {
	if workers < 1 {
		panic("neardup: Sink wants at least 1 worker")
	}
	return stream.Gather(workers, func(b *stream.Batch[rollout.Row]) *Accumulator {
		part := New()
		part.Add(b.Items)
		return part
	}, a.Merge, stream.Name("neardup"))
}
