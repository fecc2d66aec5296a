package arrowipc

import (
	"context"

	"github.com/rollmill/rollmill/stream"
)

// FrameWriter writes packets as an Arrow IPC file of [Schema], in the order in
// which they come: the sink of a flow of them.
type FrameWriter struct{ parts partWriter }

// CreateFrames returns a writer to the file of the given name. It takes [Replace]
// and [NoEmpty]; the other options are about rows and change nothing.
func CreateFrames(path string, opts ...WriteOption) *FrameWriter {
	o := defaultWriteOptions()
	for _, opt := range opts {
		opt(&o)
	}
	return &FrameWriter{partWriter{path: path, replace: o.replace, noEmpty: o.noEmpty}}
}

// Run writes what comes from a channel. The file appears when it is whole.
func (w *FrameWriter) Run(ctx context.Context, in <-chan stream.Batch[Packet]) error {
	defer w.parts.abort() // nothing is left to abort after a commit
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		for i := range b.Items {
			p := &b.Items[i].packet
			if err := w.parts.write(p); err != nil {
				return err
			}
			p.recycle()
		}
	}
	return w.parts.commit()
}

// Summary returns what was written. It is valid when the flow has ended.
func (w *FrameWriter) Summary() Summary {
	s := Summary{Parts: w.parts.parts}
	for _, p := range s.Parts {
		s.Rows += p.Rows
	}
	return s
}
