package stream_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollmill/rollmill/stream"
)

// slow is a Map that takes a second for a batch, and counts how many run.
func slow(workers int, g *gauge, opts ...stream.Option) stream.Stage[item, item] {
	return stream.Map(workers, func(_ context.Context, b stream.Batch[item]) (stream.Batch[item], error) {
		g.enter()
		defer g.leave()
		time.Sleep(time.Second)
		return b, nil
	}, opts...)
}

func TestMapWorksOnBatchesAtOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		synctest.Test(t, func(t *testing.T) {
			var g gauge
			got := &recorder{}
			start := time.Now()
			flow := stream.From(numbered(0, slices.Repeat([]int{2}, 16)...))
			if _, err := stream.Run(t.Context(), stream.To(stream.Through(flow, slow(workers, &g)), got)); err != nil {
				t.Fatal(err)
			}
			if took, want := time.Since(start), time.Duration(16/workers)*time.Second; took != want {
				t.Errorf("%d workers took %v, want %v", workers, took, want)
			}
			if g.most.Load() != int64(workers) {
				t.Errorf("%d at once, want %d", g.most.Load(), workers)
			}
			if !slices.Equal(got.values(), ints(0, 32)) {
				t.Errorf("%d workers: got %v", workers, got.values())
			}
		})
	}
}

// TestFusion tells by the time that passes whether stages share their workers.
func TestFusion(t *testing.T) {
	for _, tc := range []struct {
		name   string
		stages func(g *gauge) []stream.Stage[item, item]
		want   time.Duration // for 8 batches
		most   int64         // batches worked on at once; 0 where that depends on the scheduler
	}{
		{"two maps of one worker fuse", func(g *gauge) []stream.Stage[item, item] {
			return []stream.Stage[item, item]{slow(1, g), slow(1, g)}
		}, 16 * time.Second, 1},
		{"two maps of four workers fuse", func(g *gauge) []stream.Stage[item, item] {
			return []stream.Stage[item, item]{slow(4, g), slow(4, g)}
		}, 4 * time.Second, 4},
		{"a filter between does not part them", func(g *gauge) []stream.Stage[item, item] {
			return []stream.Stage[item, item]{slow(1, g), stream.Filter(func(*item) bool { return true }), slow(1, g)}
		}, 16 * time.Second, 1},
		{"a filter with other workers does", func(g *gauge) []stream.Stage[item, item] {
			return []stream.Stage[item, item]{slow(1, g), stream.Filter(func(*item) bool { return true }, stream.Workers(2)), slow(1, g)}
		}, 9 * time.Second, 2},
		{"numbers of workers that differ do not fuse", func(g *gauge) []stream.Stage[item, item] {
			return []stream.Stage[item, item]{slow(1, g), slow(8, g)}
		}, 9 * time.Second, 0},
		{"a tap parts", func(g *gauge) []stream.Stage[item, item] {
			return []stream.Stage[item, item]{slow(1, g), stream.Tap(func(context.Context, stream.Batch[item]) error { return nil }), slow(1, g)}
		}, 9 * time.Second, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var g gauge
				flow := stream.From(numbered(0, 1, 1, 1, 1, 1, 1, 1, 1))
				for _, s := range tc.stages(&g) {
					flow = stream.Through(flow, s)
				}
				got := &recorder{}
				start := time.Now()
				if _, err := stream.Run(t.Context(), stream.To(flow, got)); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(start); took != tc.want || tc.most != 0 && g.most.Load() != tc.most {
					t.Errorf("took %v with %d at once, want %v with %d", took, g.most.Load(), tc.want, tc.most)
				}
				if !slices.Equal(got.values(), ints(0, 8)) {
					t.Errorf("got %v", got.values())
				}
			})
		})
	}
}

// TestOneWorkerMayKeepState has a Map of one worker beside parallel ones.
func TestOneWorkerMayKeepState(t *testing.T) {
	flow := stream.From(numbered(0, slices.Repeat([]int{3}, 200)...))
	flow = stream.Through(flow, stream.Map(4, identity))
	sum := 0
	flow = stream.Through(flow, stream.MapItems(1, func(_ context.Context, it item) (item, error) {
		sum += it.V
		it.V = sum
		return it, nil
	}))
	flow = stream.Through(flow, stream.Map(4, identity))
	got := &recorder{}
	if _, err := stream.Run(t.Context(), stream.To(flow, got)); err != nil {
		t.Fatal(err)
	}
	want := 0
	for i, v := range got.values() {
		want += i
		if v != want {
			t.Fatalf("sum at %d is %d, want %d", i, v, want)
		}
	}
}

// TestSlowBatchDoesNotHoldWorkers has one batch of a hundred take long: others
// are worked on meanwhile, but a bounded number.
func TestSlowBatchDoesNotHoldWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g gauge
		release := make(chan struct{})
		flow := stream.Through(stream.From(numbered(0, slices.Repeat([]int{1}, 100)...)), stream.Map(4, func(_ context.Context, b stream.Batch[item]) (stream.Batch[item], error) {
			g.enter()
			defer g.leave()
			if b.Seq == 10 {
				<-release
			}
			return b, nil
		}))
		got := &recorder{}
		r, err := stream.Start(t.Context(), stream.To(flow, got))
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if began := g.total.Load(); began != 10+8 { // twice the workers, from the slow one on
			t.Errorf("%d batches began, want 18", began)
		}
		if len(got.batches) != 10 {
			t.Errorf("%d batches left, want 10", len(got.batches))
		}
		close(release)
		if _, err := r.Wait(); err != nil || !slices.Equal(got.values(), ints(0, 100)) {
			t.Errorf("%v: got %v", err, got.values())
		}
	})
}

func TestMapUnordered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		flow := stream.Through(stream.From(numbered(0, 1, 1, 1, 1)), stream.Map(2, func(_ context.Context, b stream.Batch[item]) (stream.Batch[item], error) {
			if b.Seq == 0 {
				time.Sleep(time.Minute)
			}
			return b, nil
		}, stream.Unordered()))
		got := &recorder{}
		if _, err := stream.Run(t.Context(), stream.To(flow, got)); err != nil {
			t.Fatal(err)
		}
		if want := []int{1, 2, 3, 0}; !slices.Equal(got.values(), want) {
			t.Errorf("got %v, want %v", got.values(), want)
		}
		for i, b := range got.batches {
			if b.Seq != uint64(i) || b.Mark != nil {
				t.Errorf("batch %d has Seq %d and mark %v", i, b.Seq, b.Mark)
			}
		}
	})
}

func TestMapChangesTypeAndRejects(t *testing.T) {
	parse := stream.Map(2, func(_ context.Context, b stream.Batch[item]) (stream.Batch[string], error) {
		words := make([]string, 0, len(b.Items))
		for _, it := range b.Items {
			if it.V%3 == 0 {
				b.Rejects = append(b.Rejects, stream.Reject{Pos: it.Pos, Code: "three"})
				continue
			}
			words = append(words, fmt.Sprint(it.V))
		}
		return stream.Carry(b, words), nil
	})
	items, rejects, err := stream.Collect(t.Context(), stream.Through(stream.From(numbered(0, 4, -1, 4)), parse))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"1", "2", "5", "7", "8"}; !slices.Equal(items, want) {
		t.Errorf("items %v, want %v", items, want)
	}
	var at []string
	for _, r := range rejects {
		at = append(at, r.Pos.String())
	}
	if want := []string{"0:1", "0:4", "0:5", "0:7"}; !slices.Equal(at, want) {
		t.Errorf("rejects at %v, want %v", at, want)
	}
}
