package stream_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/rollmill/rollmill/stream"
)

// record is an item of about 500 bytes, like a row of a training set.
type record struct {
	id   int
	size int
	body [484 / 4]uint32
}

const benchBatch = 1024

// ring is a source and a sink that pass the same few batches round and round,
// so that a benchmark measures the flow and not the allocator.
type ring struct {
	batches int
	free    chan []record
}

func newRing(items int) *ring {
	r := &ring{batches: (items + benchBatch - 1) / benchBatch, free: make(chan []record, 16)}
	for range cap(r.free) {
		r.free <- make([]record, benchBatch)
	}
	return r
}

func (r *ring) source() stream.Source[record] {
	return stream.SourceFunc[record](func(ctx context.Context, out chan<- stream.Batch[record]) error {
		for range r.batches {
			if err := stream.Send(ctx, out, stream.Batch[record]{Items: <-r.free}); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *ring) sink() stream.Sink[record] {
	return stream.SinkFunc[record](func(ctx context.Context, in <-chan stream.Batch[record]) error {
		for b, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			r.free <- b.Items[:benchBatch]
		}
		return nil
	})
}

func keep(_ context.Context, b stream.Batch[record]) (stream.Batch[record], error) { return b, nil }

// BenchmarkHop measures what a hand-over costs an item, order kept: eight
// stages, which do not fuse because their numbers of workers differ, so nine
// hand-overs and that of the source. ns/hop may be 5 at most; ns/op is for all.
func BenchmarkHop(b *testing.B) {
	const stages = 8
	for _, tc := range []struct {
		name string
		opts []stream.Option
	}{
		{"plain", nil},
		{"sized", []stream.Option{stream.SizeOf(func(r *record) int { return 16 + r.size })}},
	} {
		b.Run(tc.name, func(b *testing.B) {
			r := newRing(b.N)
			b.ReportAllocs()
			b.SetBytes(500)
			b.ResetTimer()
			flow := stream.From(r.source(), tc.opts...)
			for i := range stages {
				flow = stream.Through(flow, stream.Map(1+i%2, keep))
			}
			if _, err := stream.Run(b.Context(), stream.To(flow, r.sink())); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(stages+2), "ns/hop")
		})
	}
}

// churn is a little work on an item, in place.
func churn(r *record) {
	h := uint32(r.id)
	for _, w := range r.body {
		h = (h ^ w) * 16777619
	}
	r.body[h%uint32(len(r.body))] ^= h
}

func churnAll(items []record) {
	for i := range items {
		churn(&items[i])
	}
}

// BenchmarkFused compares three Maps on two workers with a plain loop on two
// goroutines that takes batches from a channel and does the same.
func BenchmarkFused(b *testing.B) {
	const steps, workers = 3, 2
	b.Run("loop", func(b *testing.B) {
		r := newRing(b.N)
		batches := make(chan struct{}, r.batches)
		for range r.batches {
			batches <- struct{}{}
		}
		close(batches)
		b.ReportAllocs()
		b.SetBytes(500)
		b.ResetTimer()
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for range batches {
					items := <-r.free
					for range steps {
						churnAll(items)
					}
					r.free <- items
				}
			})
		}
		wg.Wait()
	})
	b.Run("maps", func(b *testing.B) {
		r := newRing(b.N)
		b.ReportAllocs()
		b.SetBytes(500)
		b.ResetTimer()
		flow := stream.From(r.source())
		for range steps {
			flow = stream.Through(flow, stream.Map(workers, func(_ context.Context, b stream.Batch[record]) (stream.Batch[record], error) {
				churnAll(b.Items)
				return b, nil
			}))
		}
		if _, err := stream.Run(b.Context(), stream.To(flow, r.sink())); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkEachSlowTail calls for items that take 200 µs, one in a hundred
// 20 ms, with 64 in flight.
func BenchmarkEachSlowTail(b *testing.B) {
	for _, tc := range []struct {
		name string
		opts []stream.Option
	}{
		{"unordered", []stream.Option{stream.Unordered()}},
		{"window=1x", []stream.Option{stream.Window(64)}},
		{"window=16x", nil},
		{"window=64x", []stream.Option{stream.Window(64 * 64)}},
	} {
		b.Run(tc.name, func(b *testing.B) {
			call := func(_ context.Context, i int) (int, error) {
				wait := 200 * time.Microsecond
				if i*2654435761>>7%100 == 0 {
					wait *= 100
				}
				time.Sleep(wait)
				return i, nil
			}
			items := make([]int, b.N)
			for i := range items {
				items[i] = i
			}
			b.ResetTimer()
			flow := stream.Through(stream.FromSlice(items), stream.Each(call, append(tc.opts, stream.InFlight(64))...))
			if _, _, err := stream.Collect(b.Context(), flow); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkEachOverhead measures what a call costs besides the call.
func BenchmarkEachOverhead(b *testing.B) {
	items := make([]int, b.N)
	b.ReportAllocs()
	b.ResetTimer()
	flow := stream.Through(stream.FromSlice(items), stream.Each(func(_ context.Context, i int) (int, error) { return i, nil }))
	if _, _, err := stream.Collect(b.Context(), flow); err != nil {
		b.Fatal(err)
	}
}
