package arrowipc

import (
	"context"
	"errors"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Writer writes rows as an Arrow IPC file or stream of [Schema]: the sink of a
// flow. Record batches are encoded and compressed by several workers, and
// written in order. A record batch has at most 4,096 rows and 16 MiB of text
// unless [RecordRows] and [RecordBytes] say otherwise, and ends with its file,
// whatever the batches of the flow are.
//
// What is written carries checksums, in the metadata of its messages, where
// other readers pass over them.
type Writer struct {
	path string
	opts writeOptions

	parts    *partWriter
	packers  packers
	cutting  *cutStage
	rejected int64
}

var _ stream.ComposedSink[rollout.Row] = (*Writer)(nil)

// Summary says what a Writer wrote.
type Summary struct {
	Rows     int64            // rows written
	Dropped  map[string]int64 // rows left out by KeptOnly, by gate
	Rejected int64            // rejects that reached the writer
	Parts    []Part
}

// Create returns a writer to the file of the given name; "-" is standard output.
// Nothing is touched before the flow runs. A Writer is used for one flow.
func Create(path string, opts ...WriteOption) *Writer {
	w := &Writer{path: path, opts: defaultWriteOptions()}
	for _, o := range opts {
		o(&w.opts)
	}
	w.packers.compression = w.opts.compression
	return w
}

// Run writes what comes from a channel. Flows use End.
func (w *Writer) Run(ctx context.Context, in <-chan stream.Batch[rollout.Row]) error {
	return stream.Drain(ctx, in, w.End)
}

// End ends a flow at the writer.
func (w *Writer) End(rows stream.Flow[rollout.Row]) stream.End {
	w.parts = &partWriter{
		path: w.path, many: w.opts.rowsPerFile > 0, replace: w.opts.replace, noEmpty: w.opts.noEmpty || w.opts.spool != nil, spool: w.opts.spool,
		stream: w.opts.form == streamForm || w.opts.form == formOfName && (w.path == files.Stdin || files.Ext(w.path) == ".arrows"),
	}
	groups, cutting := groupsOf(rows, &w.opts)
	w.cutting = cutting
	packets := stream.Through(groups, stream.Map(w.opts.workers, w.pack, stream.Name("encode")))
	return stream.To[packet](packets, stream.SinkFunc[packet](w.write), stream.Name("write"))
}

// groupsOf cuts a flow of rows into those of record batches.
func groupsOf(rows stream.Flow[rollout.Row], o *writeOptions) (stream.Flow[group], *cutStage) {
	s := &cutStage{cutter: cutter{cut: o.cut}, dropped: map[string]int64{}}
	s.rowsPerFile = o.rowsPerFile
	if o.spool != nil {
		s.ends = o.spool.Ends
	}
	sized := stream.Through(rows, stream.Map(o.workers, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[measured], error) {
		return stream.Carry(b, []measured{measure(b.Items, o.keptOnly)}), nil
	}, stream.Name("measure")))
	return stream.Through[measured, group](sized, s, stream.Name("cut")), s
}

func (w *Writer) pack(_ context.Context, b stream.Batch[group]) (stream.Batch[packet], error) {
	packets := make([]packet, len(b.Items))
	for i := range b.Items {
		var err error
		if packets[i], err = w.packers.pack(&b.Items[i]); err != nil {
			return stream.Batch[packet]{}, b.Items[i].failed(err)
		}
	}
	return stream.Carry(b, packets), nil
}

func (w *Writer) write(ctx context.Context, in <-chan stream.Batch[packet]) error {
	defer w.parts.abort() // nothing is left to abort after a commit
	if files.CompressionOf(w.path) != files.Plain {
		return &files.OutputError{Path: w.path, Err: errPacked, Hint: "leave .gz or .zst out of the name; record batches are compressed within the file"}
	}
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		for i := range b.Items {
			p := &b.Items[i]
			if err := w.parts.write(p); err != nil {
				return err
			}
			p.recycle()
		}
		w.rejected += int64(len(b.Rejects))
		if len(b.Rejects) > 0 {
			if err := w.opts.rejects(b.Rejects); err != nil {
				return err
			}
		}
	}
	return w.parts.commit()
}

var errPacked = errors.New("is a name for another kind of file")

// Summary returns what was written. It is valid when the flow has ended.
func (w *Writer) Summary() Summary {
	s := Summary{Dropped: w.cutting.dropped, Rejected: w.rejected, Parts: w.parts.parts}
	for _, p := range s.Parts {
		s.Rows += p.Rows
	}
	return s
}
