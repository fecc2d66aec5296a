package main

import (
	"context"

	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// sink is the end of a conversion: the writer of a format, or a counter.
type sink interface {
	stream.Sink[rollout.Row]
	Summary() jsonl.Summary
}

// counter counts what a writer would write. It is the sink of one flow.
type counter struct{ rows, rejects int64 }

// Run counts.
func (c *counter) Run(ctx context.Context, in <-chan stream.Batch[rollout.Row]) error {
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		c.rows += int64(len(b.Items))
		c.rejects += int64(len(b.Rejects))
	}
	return nil
}

// Summary returns what was counted.
func (c *counter) Summary() jsonl.Summary { return jsonl.Summary{Rows: c.rows, Rejected: c.rejects} }
