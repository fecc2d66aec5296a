package jsonl

import (
	"context"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Writer writes rows as JSONL: the sink of a flow. Rows that were read from
// the same dialect and not changed are written byte for byte. Lines are encoded
// and compressed by several workers, and written in order.
type Writer struct {
	path string
	opts writeOptions
	pool buffers

	parts      *partWriter
	framing    *frameStage
	quarantine *RejectFile
	whole      bool
}

var _ stream.ComposedSink[rollout.Row] = (*Writer)(nil)

// Summary says what a Writer wrote.
type Summary struct {
	Rows     int64            // rows written
	Dropped  map[string]int64 // rows left out by KeptOnly, by gate
	Rejected int64            // rejects that reached the writer
	Parts    []Part
	Whole    bool // all files have their final names
	Rejects  Part // the quarantine file, if there is one
}

// Create returns a writer to the file of the given name, compressed as the
// name says; "-" is standard output. Nothing is touched before the flow runs.
// A Writer is used for one flow.
func Create(path string, opts ...WriteOption) *Writer {
	w := &Writer{path: path, opts: defaultWriteOptions()}
	for _, o := range opts {
		o(&w.opts)
	}
	return w
}

// Run writes what comes from a channel. Flows use End.
func (w *Writer) Run(ctx context.Context, in <-chan stream.Batch[rollout.Row]) error {
	return stream.Drain(ctx, in, w.End)
}

// End ends a flow at the writer.
func (w *Writer) End(rows stream.Flow[rollout.Row]) stream.End {
	packed := files.CompressionOf(w.path)
	w.parts = &partWriter{path: w.path, packed: packed, many: w.opts.rowsPerFile > 0, replace: w.opts.replace, noEmpty: w.opts.noEmpty}
	w.framing = &frameStage{
		framer:  framer{size: w.opts.frameSize, rowsPerFile: w.opts.rowsPerFile, pool: &w.pool},
		dropped: map[string]int64{},
	}
	w.quarantine = NewRejectFile(w.opts.quarantine, w.opts.inputName, w.opts.replace)

	text := stream.Through(rows, stream.Map(w.opts.workers, w.encode, stream.Name("encode")))
	frames := stream.Through[lines, frame](text, w.framing, stream.Name("frame"))
	if packed != files.Plain {
		frames = stream.Through(frames, stream.Map(w.opts.workers, w.compress, stream.Name("compress")))
	}
	return stream.To[frame](frames, stream.SinkFunc[frame](w.write), stream.Name("write"))
}

func (w *Writer) encode(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[lines], error) {
	return stream.Carry(b, []lines{encodeLines(b.Items, w.opts.keptOnly, &w.pool)}), nil
}

func (w *Writer) compress(_ context.Context, b stream.Batch[frame]) (stream.Batch[frame], error) {
	for i := range b.Items {
		f := &b.Items[i]
		plain := f.text
		f.text = w.parts.packed.AppendFrame(w.pool.get(len(plain)/2), plain)
		w.pool.put(plain)
	}
	return b, nil
}

func (w *Writer) write(ctx context.Context, in <-chan stream.Batch[frame]) error {
	defer w.parts.abort() // nothing is left to abort after a commit
	defer w.quarantine.Abort()
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		for i := range b.Items {
			if err := w.parts.write(&b.Items[i]); err != nil {
				return err
			}
			w.pool.put(b.Items[i].text)
		}
		if err := w.quarantine.Add(b.Rejects); err != nil {
			return err
		}
	}
	if err := w.quarantine.Commit(); err != nil {
		return err
	}
	if err := w.parts.commit(); err != nil {
		return err
	}
	w.whole = true
	return nil
}

// Summary returns what was written. It is valid when the flow has ended.
func (w *Writer) Summary() Summary {
	if w.parts == nil {
		return Summary{} // no flow was ended at it
	}
	s := Summary{Dropped: w.framing.dropped, Rejected: w.quarantine.Part().Rows, Parts: w.parts.parts, Whole: w.whole}
	if q := w.quarantine.Part(); q.Path != "" {
		s.Rejects = q
	}
	for _, p := range s.Parts {
		s.Rows += p.Rows
	}
	return s
}
