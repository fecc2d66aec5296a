package stream_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollmill/rollmill/stream"
)

// TestStats runs a flow whose times are known exactly: a source that needs 3 s
// a batch, two fused stages of 1 s, a slow tap of 2 s and a sink of 5 s.
func TestStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := stream.SourceFunc[item](func(ctx context.Context, out chan<- stream.Batch[item]) error {
			for _, b := range numbered(0, 4, 0, -2, 6).batches {
				time.Sleep(3 * time.Second)
				if err := stream.Send(ctx, out, b); err != nil {
					return err
				}
			}
			return nil
		})
		flow := stream.From(source, stream.Name("read"), stream.SizeOf(func(*item) int { return 10 }))
		flow = stream.Through(flow, stream.MapItems(1, func(_ context.Context, it item) (item, error) {
			time.Sleep(100 * time.Millisecond)
			if it.V == 2 {
				return it, &stream.RejectError{}
			}
			return it, nil
		}, stream.Name("grade")))
		flow = stream.Through(flow, stream.Filter(func(it *item) bool { return it.V%2 == 0 }))
		end := stream.To(flow, &recorder{delay: 5 * time.Second}, stream.Name("write"))

		r, err := stream.Start(t.Context(), end)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(3*time.Second + 250*time.Millisecond)
		synctest.Wait()
		if s := r.Snapshot(); s.Elapsed != 3250*time.Millisecond || s.Stages[0].ItemsOut != 4 || s.Stages[1].ItemsIn != 4 || s.Stages[1].Held() != 4 || s.Stages[1].Ended {
			t.Errorf("while it runs: %+v", s)
		}
		select {
		case <-r.Done():
			t.Error("done while it runs")
		default:
		}
		<-r.Done()
		got, err := r.Wait()
		if err != nil {
			t.Fatal(err)
		}
		want := &stream.Stats{
			Elapsed: 23400 * time.Millisecond, // 3.4 s to the first batch, and 4 x 5 s
			Stages: []stream.StageStats{
				{Name: "read", Workers: 1, BatchesOut: 4, ItemsOut: 10, RejectsOut: 2, BytesOut: 100, Made: 12,
					Busy: 12 * time.Second, WaitOut: 0, Ended: true},
				{Name: "grade", Workers: 1, BatchesIn: 4, BatchesOut: 4, ItemsIn: 10, ItemsOut: 9, RejectsIn: 2, RejectsOut: 3, BytesIn: 100, BytesOut: 90,
					Busy: time.Second, WaitIn: 11600 * time.Millisecond, Ended: true},
				{Name: "filter", Workers: 1, BatchesIn: 4, BatchesOut: 4, ItemsIn: 9, ItemsOut: 4, RejectsIn: 3, RejectsOut: 3, BytesIn: 90, BytesOut: 40,
					Dropped: 5, WaitOut: 800 * time.Millisecond, Ended: true},
				{Name: "write", Workers: 1, BatchesIn: 4, ItemsIn: 4, RejectsIn: 3, BytesIn: 40, Kept: 7,
					Busy: 20 * time.Second, WaitIn: 3400 * time.Millisecond, Ended: true},
			},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// TestConservation holds the sums of a branched flow against each other.
func TestConservation(t *testing.T) {
	tee := stream.Tee(stream.From(numbered(0, 5, -1, 5)), 3)
	drop := stream.StageFunc[item, item](func(ctx context.Context, in <-chan stream.Batch[item], out chan<- stream.Batch[item]) error {
		for b, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			b.Items = b.Items[:len(b.Items)/2]
			if err := stream.Send(ctx, out, b); err != nil {
				return err
			}
		}
		return nil
	})
	pairs := stream.Through(tee[1], stream.GroupBy(func(it *item) int { return it.V / 2 }))
	singles := stream.Through(pairs, stream.FlatMap(2, func(_ context.Context, g stream.Group[int, item], emit func(item)) error {
		for _, it := range g.Items {
			emit(it)
			emit(it)
		}
		return nil
	}))
	stats, err := stream.Run(t.Context(),
		stream.To(tee[0], &recorder{limit: 1}),
		stream.To(singles, &recorder{}),
		stream.To(stream.Through(tee[2], drop), &recorder{}))
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]stream.StageStats{}
	for _, s := range stats.Stages {
		byName[s.Name] = s
		if s.Held() != 0 && s.Ended {
			t.Errorf("%s holds %d at its end", s.Name, s.Held())
		}
	}
	for _, tc := range []struct {
		name          string
		made, dropped int64
	}{
		{"stream_test.script", 11, 0}, // all
		{"groupby", 6 - 10, 0},        // ten items in six groups
		{"flatmap", 20 - 6, 0},        // and each twice again
		{"stage", 0, 6},               // of batches of 5 it gives back 2
	} {
		if s := byName[tc.name]; s.Made != tc.made || s.Dropped != tc.dropped {
			t.Errorf("%s made %d and dropped %d, want %d and %d", tc.name, s.Made, s.Dropped, tc.made, tc.dropped)
		}
	}
	checkSum(t, stats)
}

// TestBytes follows the bytes of items of 1, 2, 3, ... bytes through stages
// that change, drop, refuse and remake them.
func TestBytes(t *testing.T) {
	value := stream.SizeOf(func(it *item) int { return it.V })
	all := func() stream.Flow[item] { return stream.From(numbered(0, 3, 2, 6), value) } // 0 + 1 + ... + 10 = 55
	double := func(_ context.Context, it item) (item, error) {
		it.V *= 2
		return it, nil
	}
	noFive := func(_ context.Context, it item) (item, error) {
		if it.V == 5 {
			return it, &stream.RejectError{}
		}
		return it, nil
	}
	half := func(_ context.Context, b stream.Batch[item]) (stream.Batch[item], error) {
		b.Items = b.Items[:len(b.Items)/2]
		return b, nil
	}
	for _, tc := range []struct {
		name  string
		stage stream.Stage[item, item]
		opts  []stream.Option
		want  int64
	}{
		{"a map keeps what was counted", stream.MapItems(2, double), nil, 55},
		{"unless it counts itself", stream.MapItems(2, double, value), nil, 110},
		{"or is told to", stream.MapItems(2, double), []stream.Option{value}, 110},
		{"filter", stream.Filter(func(it *item) bool { return it.V != 4 }), nil, 51},
		{"a map that drops", stream.Map(1, half), nil, 0 + 3 + 5 + 6 + 7},
		{"a map that refuses", stream.MapItems(1, noFive), nil, 50},
		{"flatmap", stream.FlatMap(1, func(_ context.Context, it item, emit func(item)) error {
			emit(item{V: 7})
			return nil
		}), nil, 77},
		{"each", stream.Each(double), nil, 55},
		{"each that refuses", stream.Each(noFive), nil, 50},
		{"rebatch", stream.Rebatch[item](4), nil, 55},
		{"a hand-written stage is counted again", stream.StageFunc[item, item](func(ctx context.Context, in <-chan stream.Batch[item], out chan<- stream.Batch[item]) error {
			for b, err := range stream.Receive(ctx, in) {
				if err != nil {
					return err
				}
				b.Items = append(b.Items, item{V: 100})
				if err := stream.Send(ctx, out, b); err != nil {
					return err
				}
			}
			return nil
		}), nil, 355},
	} {
		t.Run(tc.name, func(t *testing.T) {
			stats, err := stream.Run(t.Context(), stream.To(stream.Through(all(), tc.stage, tc.opts...), &recorder{}))
			if err != nil {
				t.Fatal(err)
			}
			if s := stats.Stages[1]; s.BytesIn != 55 || s.BytesOut != tc.want {
				t.Errorf("%d bytes in, %d out; want 55, %d", s.BytesIn, s.BytesOut, tc.want)
			}
		})
	}
}

// TestMapThatLosesItems: what a Map does not give back is counted.
func TestMapThatLosesItems(t *testing.T) {
	lossy := stream.Map(2, func(_ context.Context, b stream.Batch[item]) (stream.Batch[item], error) {
		b.Items = b.Items[1:]
		return b, nil
	})
	stats, err := stream.Run(t.Context(), stream.To(stream.Through(stream.From(numbered(0, 3, 3)), lossy), &recorder{}))
	if err != nil {
		t.Fatal(err)
	}
	if s := stats.Stages[1]; s.Dropped != 2 || s.Held() != 0 {
		t.Errorf("dropped %d, held %d; want 2, 0", s.Dropped, s.Held())
	}
}
