package main

import (
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// accumulate ends a flow: workers make one partial result of each batch, and
// merge takes them in the order of the stream.
func accumulate[R any](rows stream.Flow[rollout.Row], workers int, part func(b *stream.Batch[rollout.Row]) R, merge func(R)) stream.End {
	return stream.To(rows, stream.Gather(workers, part, merge, stream.Name(rowsStage)))
}
