package simulate_test

import (
	"context"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate"
	"github.com/rollmill/rollmill/stream"
)

// null takes rows and forgets them.
type null struct{ rows int }

func (n *null) Run(ctx context.Context, in <-chan stream.Batch[rollout.Row]) error {
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		n.rows += len(b.Items)
	}
	return nil
}

// BenchmarkSimulate makes rows by one worker, of groups of 8.
func BenchmarkSimulate(b *testing.B) {
	c := config(b)
	c.RepeatPolicy = simulate.Fixed
	c.Budget = 40_000
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		s, err := simulate.New(c)
		if err != nil {
			b.Fatal(err)
		}
		n := &null{}
		if _, err := stream.Run(b.Context(), stream.To[rollout.Row](stream.From[rollout.Row](s), n)); err != nil {
			b.Fatal(err)
		}
		rows += n.rows
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(rows), "µs/row")
}
