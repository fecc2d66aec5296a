package stream_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/rollmill/rollmill/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// item is what the tests send: a value that knows its place.
type item struct {
	Pos stream.Pos
	V   int
}

func (i item) Position() stream.Pos { return i.Pos }

func (i item) String() string { return fmt.Sprintf("%s=%d", i.Pos, i.V) }

// script is a source that sends batches as they were written down.
type script struct{ batches []stream.Batch[item] }

func (s *script) Run(ctx context.Context, out chan<- stream.Batch[item]) error {
	for _, b := range s.batches {
		// Copies, with room behind: an append by one branch must not show in another.
		b.Items = append(make([]item, 0, 2*len(b.Items)), b.Items...)
		b.Rejects = append(make([]stream.Reject, 0, 2*len(b.Rejects)+64), b.Rejects...)
		if err := stream.Send(ctx, out, b); err != nil {
			return err
		}
	}
	return nil
}

// numbered makes a script of an input with the values 0, 1, 2, ... in batches
// of the given sizes. A negative size is a batch of that many rejects.
func numbered(input uint32, sizes ...int) *script {
	s := &script{}
	var record int64
	for i, size := range sizes {
		var b stream.Batch[item]
		for range size {
			record++
			b.Items = append(b.Items, item{stream.Pos{Input: input, Record: record}, int(record) - 1})
		}
		for range -size {
			record++
			b.Rejects = append(b.Rejects, stream.Reject{Pos: stream.Pos{Input: input, Record: record}, Stage: "script", Code: "bad"})
		}
		b.Mark = stream.Mark{{Input: input, Record: record, Done: i == len(sizes)-1}}
		s.batches = append(s.batches, b)
	}
	return s
}

// recorder is a sink that keeps the batches; it stops after limit, if that is set.
type recorder struct {
	batches []stream.Batch[item]
	limit   int
	delay   time.Duration
}

func (r *recorder) Run(ctx context.Context, in <-chan stream.Batch[item]) error {
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		time.Sleep(r.delay) // fake time, in a bubble
		r.batches = append(r.batches, b)
		if len(r.batches) == r.limit {
			return nil
		}
	}
	return nil
}

func (r *recorder) values() []int {
	values := []int{}
	for _, b := range r.batches {
		for _, it := range b.Items {
			values = append(values, it.V)
		}
	}
	return values
}

// ints gives from, from+1, ... to-1.
func ints(from, to int) []int {
	s := []int{}
	for i := from; i < to; i++ {
		s = append(s, i)
	}
	return s
}
