package stream_test

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollmill/rollmill/stream"
)

// gauge counts how many calls run, and the most that ever did.
type gauge struct{ now, most, total atomic.Int64 }

func (g *gauge) enter() {
	g.total.Add(1)
	now := g.now.Add(1)
	for most := g.most.Load(); now > most && !g.most.CompareAndSwap(most, now); most = g.most.Load() {
	}
}

func (g *gauge) leave() { g.now.Add(-1) }

func TestEachKeepsInFlightCallsRunning(t *testing.T) {
	for _, opts := range [][]stream.Option{nil, {stream.Unordered()}} {
		for _, size := range []int{1, 7, 1000} {
			synctest.Test(t, func(t *testing.T) {
				var g gauge
				call := func(_ context.Context, i int) (int, error) {
					g.enter()
					defer g.leave()
					time.Sleep(time.Second)
					return i, nil
				}
				start := time.Now()
				flow := stream.FromSlice(ints(0, 200), stream.Items(size))
				got, _, err := stream.Collect(t.Context(), stream.Through(flow, stream.Each(call, append(opts, stream.InFlight(10))...)))
				if err != nil {
					t.Fatal(err)
				}
				if g.most.Load() != 10 {
					t.Errorf("size %d: %d calls at once, want 10", size, g.most.Load())
				}
				if took := time.Since(start); took != 20*time.Second {
					t.Errorf("size %d: took %v, want 20s", size, took)
				}
				if opts != nil {
					slices.Sort(got)
				}
				if !slices.Equal(got, ints(0, 200)) {
					t.Errorf("size %d: got %v", size, got)
				}
			})
		}
	}
}

// TestEachStuckItem holds one call while 10,000 items wait: Each fills its
// window and then takes nothing more, with few goroutines.
func TestEachStuckItem(t *testing.T) {
	const inFlight, window = 8, 128
	for _, size := range []int{1, 50, 128, 1000} {
		synctest.Test(t, func(t *testing.T) {
			var g, sent gauge
			release := make(chan struct{})
			source := stream.SourceFunc[item](func(ctx context.Context, out chan<- stream.Batch[item]) error {
				for _, b := range numbered(0, slices.Repeat([]int{size}, 10_000/size)...).batches {
					if err := stream.Send(ctx, out, b); err != nil {
						return err
					}
					sent.total.Add(int64(size))
				}
				return nil
			})
			call := func(ctx context.Context, it item) (item, error) {
				g.enter()
				defer g.leave()
				if it.V == 5 {
					<-release
				}
				return it, nil
			}
			got := &recorder{}
			before := runtime.NumGoroutine()
			r, err := stream.Start(t.Context(), stream.To(stream.Through(stream.From(source), stream.Each(call, stream.InFlight(inFlight))), got))
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if started := g.total.Load(); started != 5+window {
				t.Errorf("size %d: %d calls began, want %d", size, started, 5+window)
			}
			// What is held: the first batch, as much behind it as the window,
			// one batch more, and what waits between the stages.
			if most := int64(5 + window + 6*size); sent.total.Load() > most {
				t.Errorf("size %d: %d items were taken, want at most %d", size, sent.total.Load(), most)
			}
			if more := runtime.NumGoroutine() - before; more > inFlight+4 {
				t.Errorf("size %d: %d goroutines", size, more)
			}
			close(release)
			if _, err := r.Wait(); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.values(), ints(0, 10_000/size*size)) {
				t.Errorf("size %d: items are missing or out of order", size)
			}
		})
	}
}

// TestEachPushesBack stops the reader: results wait, and no more is taken.
func TestEachPushesBack(t *testing.T) {
	for _, opts := range [][]stream.Option{nil, {stream.Unordered()}} {
		synctest.Test(t, func(t *testing.T) {
			var g gauge
			call := func(_ context.Context, it item) (item, error) {
				g.enter()
				defer g.leave()
				return it, nil
			}
			got := &recorder{delay: time.Hour}
			opts := append([]stream.Option{stream.InFlight(4), stream.Window(20)}, opts...)
			flow := stream.From(numbered(0, slices.Repeat([]int{10, 0, -1}, 100)...))
			r, err := stream.Start(t.Context(), stream.To(stream.Through(flow, stream.Each(call, opts...)), got))
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if g.total.Load() > 80 {
				t.Errorf("%d calls while nobody reads", g.total.Load())
			}
			if _, err := r.Wait(); err != nil {
				t.Fatal(err)
			}
			if g.total.Load() != 1000 || len(got.batches) != 300 {
				t.Errorf("%d calls, %d batches; want 1000, 300", g.total.Load(), len(got.batches))
			}
		})
	}
}

// TestEachSlowTail measures, in fake time, what order costs when one item in a
// hundred takes much longer than the others.
func TestEachSlowTail(t *testing.T) {
	const items, inFlight = 20_000, 64
	run := func(slow int, opts ...stream.Option) (took time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			call := func(_ context.Context, i int) (int, error) {
				wait := time.Millisecond
				if i*2654435761>>7%100 == 0 {
					wait *= time.Duration(slow)
				}
				time.Sleep(wait)
				return i, nil
			}
			start := time.Now()
			flow := stream.Through(stream.FromSlice(ints(0, items)), stream.Each(call, append(opts, stream.InFlight(inFlight))...))
			if _, _, err := stream.Collect(t.Context(), flow); err != nil {
				t.Fatal(err)
			}
			took = time.Since(start)
		})
		return took
	}
	for _, tc := range []struct {
		name   string
		slow   int
		window int // in calls in flight
	}{
		{"20 times longer, default window", 20, 16},
		{"100 times longer, window by the rule of Window", 100, 51},
	} {
		t.Run(tc.name, func(t *testing.T) {
			free := run(tc.slow, stream.Unordered())
			ordered := run(tc.slow, stream.Window(tc.window*inFlight))
			if float64(ordered) > 1.1*float64(free) {
				t.Errorf("in order %v, unordered %v", ordered, free)
			}
		})
	}
}

func TestEachUnorderedLetsFinishedBatchesPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call := func(_ context.Context, it item) (item, error) {
			if it.V == 0 {
				time.Sleep(time.Minute)
			}
			return it, nil
		}
		got := &recorder{}
		flow := stream.Through(stream.From(numbered(0, 2, 2, 2)), stream.Each(call, stream.InFlight(2), stream.Unordered()))
		if _, err := stream.Run(t.Context(), stream.To(flow, got)); err != nil {
			t.Fatal(err)
		}
		if want := []int{2, 3, 4, 5, 0, 1}; !slices.Equal(got.values(), want) {
			t.Errorf("got %v, want %v", got.values(), want)
		}
		for i, b := range got.batches {
			if b.Seq != uint64(i) || b.Mark != nil {
				t.Errorf("batch %d: Seq %d, mark %v; want Seq %d and no mark", i, b.Seq, b.Mark, i)
			}
		}
	})
}

func TestEachRefusesItems(t *testing.T) {
	call := func(_ context.Context, it item) (item, error) {
		if it.V%2 == 1 {
			return it, errors.Join(errors.New("asked in vain"), &stream.RejectError{Reject: stream.Reject{Pos: it.Pos, Code: "odd"}})
		}
		return it, nil
	}
	got := &recorder{}
	stats, err := stream.Run(t.Context(), stream.To(stream.Through(stream.From(numbered(0, 4, -1, 3)), stream.Each(call)), got))
	if err != nil {
		t.Fatal(err)
	}
	var refused []string
	for _, b := range got.batches {
		for _, r := range b.Rejects {
			refused = append(refused, r.Pos.String())
		}
	}
	if want := []int{0, 2, 6}; !slices.Equal(got.values(), want) {
		t.Errorf("items %v, want %v", got.values(), want)
	}
	if want := []string{"0:2", "0:4", "0:5", "0:6", "0:8"}; !slices.Equal(refused, want) {
		t.Errorf("rejects %v, want %v", refused, want)
	}
	if s := stats.Stages[1]; s.ItemsIn != 7 || s.ItemsOut != 3 || s.RejectsIn != 1 || s.RejectsOut != 5 || s.Held() != 0 {
		t.Errorf("counts of each: %+v", s)
	}
}

// TestRejectsAreFilledIn: a refusal need not repeat what the package knows.
func TestRejectsAreFilledIn(t *testing.T) {
	refuse := func(_ context.Context, it item) (item, error) {
		return it, &stream.RejectError{Reject: stream.Reject{Code: "no"}}
	}
	for name, stage := range map[string]stream.Stage[item, item]{
		"map":     stream.MapItems(1, refuse),
		"judge":   stream.Each(refuse, stream.Name("judge")),
		"flatmap": stream.FlatMap(1, func(ctx context.Context, it item, _ func(item)) error { _, err := refuse(ctx, it); return err }),
	} {
		_, rejects, err := stream.Collect(t.Context(), stream.Through(stream.From(numbered(4, 1)), stage))
		if want := (stream.Reject{Pos: stream.Pos{Input: 4, Record: 1}, Stage: name, Code: "no"}); err != nil || len(rejects) != 1 || !reflect.DeepEqual(rejects[0], want) {
			t.Errorf("got %+v, %v; want %+v", rejects, err, want)
		}
	}
}
