package stream_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollmill/rollmill/stream"
)

// sizes gives the numbers of items of the batches of a flow.
func sizes[T any](t *testing.T, flow stream.Flow[T]) []int {
	t.Helper()
	var n []int
	batches, end := stream.Chan(t.Context(), flow)
	for b := range batches {
		n = append(n, len(b.Items))
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestFromSliceCuts(t *testing.T) {
	length := stream.SizeOf(func(s *string) int { return len(*s) })
	for _, tc := range []struct {
		name  string
		items []string
		opts  []stream.Option
		want  []int
	}{
		{"nothing", nil, nil, nil},
		{"by default", slices.Repeat([]string{"a"}, 2500), nil, []int{1024, 1024, 452}},
		{"by count", []string{"a", "b", "c"}, []stream.Option{stream.Items(2)}, []int{2, 1}},
		{"by bytes", []string{"aa", "bb", "cc", "dddddd", "e"}, []stream.Option{length, stream.Bytes(5)}, []int{2, 1, 1, 1}},
		{"by the default of bytes", slices.Repeat([]string{string(make([]byte, 400_000))}, 5), []stream.Option{length}, []int{2, 2, 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := sizes(t, stream.FromSlice(tc.items, tc.opts...)); !slices.Equal(got, tc.want) {
				t.Errorf("batches of %v, want %v", got, tc.want)
			}
			if got := sizes(t, stream.FromSeq(slices.Values(tc.items), tc.opts...)); !slices.Equal(got, tc.want) {
				t.Errorf("batches of %v from an iterator, want %v", got, tc.want)
			}
		})
	}
}

// TestFromChanDoesNotWait sends a batch when nothing more has come.
func TestFromChanDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := make(chan int, 10)
		batches, end := stream.Chan(t.Context(), stream.FromChan(ch, stream.Items(3)))
		for _, want := range [][]int{{1}, {2, 3}, {4, 5, 6}} {
			for _, v := range want {
				ch <- v
			}
			if got := <-batches; !slices.Equal(got.Items, want) {
				t.Errorf("got %v, want %v", got.Items, want)
			}
		}
		for v := range 4 {
			ch <- v
		}
		close(ch)
		if got := <-batches; len(got.Items) != 3 {
			t.Errorf("got %v, want three items", got.Items)
		}
		if got := <-batches; len(got.Items) != 1 {
			t.Errorf("got %v, want one item", got.Items)
		}
		if _, ok := <-batches; ok {
			t.Error("the channel is not closed")
		}
		if err := end(); err != nil {
			t.Error(err)
		}
	})
}

// TestFullBatchesDoNotWait sends a batch that is full without asking for more.
func TestFullBatchesDoNotWait(t *testing.T) {
	for name, opt := range map[string]stream.Option{"items": stream.Items(2), "bytes": stream.Bytes(2)} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				two := func(yield func(int) bool) {
					if yield(1) && yield(2) {
						<-ctx.Done()
					}
				}
				batches, end := stream.Chan(ctx, stream.FromSeq(two, opt, stream.SizeOf(func(*int) int { return 1 })))
				if got := <-batches; !slices.Equal(got.Items, []int{1, 2}) {
					t.Errorf("got %v", got.Items)
				}
				cancel()
				if err := end(); !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			})
		})
	}
}

func TestFromBatchesKeepsRejectsAndMarks(t *testing.T) {
	ch := make(chan stream.Batch[item], 3)
	for _, b := range numbered(0, 2, -1, 1).batches {
		b.Seq = 99
		ch <- b
	}
	close(ch)
	got := &recorder{}
	if _, err := stream.Run(t.Context(), stream.To(stream.FromBatches(ch), got)); err != nil {
		t.Fatal(err)
	}
	var shapes []string
	for _, b := range got.batches {
		shapes = append(shapes, shape(b))
	}
	if want := []string{"0: 0 1 @2", "1: !3 @3", "2: 3 @4"}; !slices.Equal(shapes, want) {
		t.Errorf("got %q, want %q", shapes, want)
	}
}

func TestChan(t *testing.T) {
	fail := func(_ context.Context, it item) (item, error) {
		if it.V == 7 {
			return it, errBoom
		}
		return it, nil
	}
	t.Run("error", func(t *testing.T) {
		batches, end := stream.Chan(t.Context(), stream.Through(stream.From(numbered(0, 5, 5, 5)), stream.MapItems(1, fail)))
		n := 0
		for range batches {
			n++
		}
		if err := end(); !errors.Is(err, errBoom) || n > 1 {
			t.Errorf("%d batches, %v", n, err)
		}
		if err := end(); !errors.Is(err, errBoom) {
			t.Errorf("asked again: %v", err)
		}
	})
	t.Run("stopped early", func(t *testing.T) {
		batches, end := stream.Chan(t.Context(), stream.From(numbered(0, slices.Repeat([]int{5}, 100)...)))
		<-batches
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	t.Run("stopped while it waits", func(t *testing.T) {
		_, end := stream.Chan(t.Context(), stream.FromChan(make(chan int)))
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		batches, end := stream.Chan(ctx, stream.FromChan(make(chan int)))
		cancel()
		for range batches {
			t.Error("a batch from nowhere")
		}
		if err := end(); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	t.Run("graph error", func(t *testing.T) {
		flow := stream.FromSlice([]int{1})
		stream.Tee(flow, 1)
		batches, end := stream.Chan(t.Context(), flow)
		for range batches {
			t.Error("a batch from nowhere")
		}
		if err := end(); !errors.Is(err, stream.ErrUsedTwice) {
			t.Error(err)
		}
	})
}

func TestAll(t *testing.T) {
	collect := func(flow stream.Flow[item], until int) (values []int, rejects int, err error) {
		for it, e := range flow.All(t.Context()) {
			var r *stream.RejectError
			switch {
			case errors.As(e, &r):
				rejects++
			case e != nil:
				err = e
			default:
				values = append(values, it.V)
			}
			if len(values) == until {
				break
			}
		}
		return values, rejects, err
	}
	values, rejects, err := collect(stream.From(numbered(0, 2, -3, 2)), -1)
	if !slices.Equal(values, []int{0, 1, 5, 6}) || rejects != 3 || err != nil {
		t.Errorf("got %v, %d rejects, %v", values, rejects, err)
	}
	values, _, err = collect(stream.From(numbered(0, 2, 2, 2)), 3)
	if !slices.Equal(values, []int{0, 1, 2}) || err != nil {
		t.Errorf("left early: got %v, %v", values, err)
	}
	values, _, err = collect(stream.Through(stream.From(numbered(0, 2, 2)), stream.MapItems(1, func(_ context.Context, it item) (item, error) {
		if it.V == 3 {
			return it, errBoom
		}
		return it, nil
	})), -1)
	if len(values) > 2 || !errors.Is(err, errBoom) {
		t.Errorf("failed: got %v, %v", values, err)
	}
}

// TestAllEndsWithTheLoop panics in the loop; the flow must not go on.
func TestAllEndsWithTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer func() {
			if recover() == nil {
				t.Error("the panic was lost")
			}
		}()
		for range stream.From(numbered(0, 5, 5, 5, 5)).All(t.Context()) {
			panic("in the loop")
		}
	})
}

// TestSendAndReceiveOutsideAFlow: both are of use to code that is called with
// bare channels.
func TestSendAndReceiveOutsideAFlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ch := make(chan stream.Batch[int])
		go func() {
			for i := range 3 {
				if err := stream.Send(ctx, ch, stream.Batch[int]{Seq: uint64(i)}); err != nil {
					t.Error(err)
				}
			}
			time.AfterFunc(time.Second, cancel)
			if err := stream.Send(ctx, ch, stream.Batch[int]{Seq: 3}); err != nil {
				t.Error(err)
			}
		}()
		var seqs []uint64
		var last error
		for b, err := range stream.Receive(ctx, ch) {
			if err != nil {
				last = err
				continue
			}
			seqs = append(seqs, b.Seq)
		}
		if !slices.Equal(seqs, []uint64{0, 1, 2, 3}) || !errors.Is(last, context.Canceled) {
			t.Errorf("got %v, %v", seqs, last)
		}
		if err := stream.Send(ctx, ch, stream.Batch[int]{}); !errors.Is(err, context.Canceled) {
			t.Errorf("Send after the end: %v", err)
		}
	})
}
