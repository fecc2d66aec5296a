package arrowipc

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Records turns a flow of rows into one of record batches of [Schema], cut as
// those of a [Writer] are. It takes [WriteWorkers], [RecordRows], [RecordBytes]
// and [KeptOnly]; the other options are about files and change nothing.
//
// Who gets a record batch owns it. Its memory is shared with nothing and is the
// garbage collector's: it may be kept for as long as anybody likes and handed to
// other goroutines. Release need not be called; it frees nothing, and a batch is
// not to be used after the last Release of its references, as ever with arrow-go.
// Rejects ride along; marks end here, since a record batch holds rows of several
// batches of the flow.
func Records(rows stream.Flow[rollout.Row], opts ...WriteOption) stream.Flow[arrow.RecordBatch] {
	o := defaultWriteOptions()
	for _, opt := range opts {
		opt(&o)
	}
	o.rowsPerFile = 0
	groups, _ := groupsOf(rows, &o)
	return stream.Through(groups, stream.Map(o.workers, func(_ context.Context, b stream.Batch[group]) (stream.Batch[arrow.RecordBatch], error) {
		records := make([]arrow.RecordBatch, len(b.Items))
		for i := range b.Items {
			rec, err := encodeRuns(b.Items[i].runs)
			if err != nil {
				return stream.Batch[arrow.RecordBatch]{}, b.Items[i].failed(err)
			}
			records[i] = rec
		}
		return stream.Carry(b, records), nil
	}, stream.Name("encode")))
}
