package stream_test

import (
	"context"
	"slices"
	"testing"

	"github.com/rollmill/rollmill/stream"
)

// pairs is a source of blocks of two and a Map that takes them apart.
type pairs struct{ blocks [][2]int }

func (p pairs) Flow() stream.Flow[int] {
	return stream.Through(stream.FromSlice(p.blocks, stream.Items(2)), stream.FlatMap(1, func(_ context.Context, b [2]int, emit func(int)) error {
		emit(b[0])
		emit(b[1])
		return nil
	}, stream.Name("decode")))
}

func (p pairs) Run(ctx context.Context, out chan<- stream.Batch[int]) error {
	return stream.Feed(ctx, p.Flow(), out)
}

// twice is a stage of two.
type twice struct{}

func (twice) Apply(flow stream.Flow[int]) stream.Flow[int] {
	add := stream.MapItems(1, func(_ context.Context, i int) (int, error) { return i + 1, nil })
	return stream.Through(stream.Through(flow, add), add)
}

func (s twice) Run(ctx context.Context, in <-chan stream.Batch[int], out chan<- stream.Batch[int]) error {
	return stream.Pipe(ctx, in, out, s.Apply)
}

// total is a sink with a stage before it.
type total struct{ sum int }

func (s *total) End(flow stream.Flow[int]) stream.End {
	return stream.To(stream.Through(flow, twice{}), stream.SinkFunc[int](func(ctx context.Context, in <-chan stream.Batch[int]) error {
		for b, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			for _, i := range b.Items {
				s.sum += i
			}
		}
		return nil
	}))
}

func (s *total) Run(ctx context.Context, in <-chan stream.Batch[int]) error {
	return stream.Drain(ctx, in, s.End)
}

var (
	_ stream.Composed[int]           = pairs{}
	_ stream.ComposedStage[int, int] = twice{}
	_ stream.ComposedSink[int]       = (*total)(nil)
)

func TestComposedPartsAreSplicedIn(t *testing.T) {
	source, sum := pairs{[][2]int{{1, 2}, {3, 4}, {5, 6}}}, &total{}
	size := stream.SizeOf(func(*int) int { return 8 })
	stats, err := stream.Run(t.Context(), stream.To(stream.Through(stream.From(source, size), twice{}), sum))
	if err != nil {
		t.Fatal(err)
	}
	if want := 21 + 6*4; sum.sum != want {
		t.Errorf("sum %d, want %d", sum.sum, want)
	}
	var names []string
	for _, s := range stats.Stages {
		names = append(names, s.Name)
	}
	if want := []string{"slice", "decode", "map", "map 2", "map 3", "map 4", "sink"}; !slices.Equal(names, want) {
		t.Errorf("stages %q, want %q", names, want)
	}
	if last := stats.Stages[6]; last.BytesIn != 48 {
		t.Errorf("%d bytes, want 48", last.BytesIn)
	}
}

// TestComposedPartsRunByHand calls Run of each with bare channels.
func TestComposedPartsRunByHand(t *testing.T) {
	source := stream.SourceFunc[int](pairs{[][2]int{{1, 2}, {3, 4}, {5, 6}}}.Run)
	stage := stream.StageFunc[int, int](twice{}.Run)
	sum := &total{}
	if _, err := stream.Run(t.Context(), stream.To(stream.Through(stream.From(source), stage), stream.SinkFunc[int](sum.Run))); err != nil {
		t.Fatal(err)
	}
	if want := 21 + 6*4; sum.sum != want {
		t.Errorf("sum %d, want %d", sum.sum, want)
	}
}

// TestReadyMadeStagesRunByHand calls Run of each ready-made stage.
func TestReadyMadeStagesRunByHand(t *testing.T) {
	keep := func(_ context.Context, it item) (item, error) { return it, nil }
	for name, stage := range map[string]stream.Stage[item, item]{
		"map":     stream.MapItems(2, keep),
		"filter":  stream.Filter(func(*item) bool { return true }),
		"each":    stream.Each(keep),
		"rebatch": stream.Rebatch[item](3),
		"tap":     stream.Tap(func(context.Context, stream.Batch[item]) error { return nil }),
	} {
		t.Run(name, func(t *testing.T) {
			got := &recorder{}
			flow := stream.Through(stream.From(numbered(0, 2, 0, 5)), stream.StageFunc[item, item](stage.Run))
			if _, err := stream.Run(t.Context(), stream.To(flow, got)); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.values(), ints(0, 7)) {
				t.Errorf("got %v", got.values())
			}
		})
	}
}
