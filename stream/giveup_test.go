package stream_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollmill/rollmill/stream"
)

// lateAs makes an item that was given up a negative number.
func lateAs(i int, late error) (int, error) {
	if !errors.Is(late, context.DeadlineExceeded) {
		return 0, late
	}
	return -i, nil
}

// runEach runs the numbers 1 to n through calls that may be given up after a
// second.
func runEach(t *testing.T, n int, call func(ctx context.Context, i int) (int, error), opts ...stream.Option) ([]int, stream.StageStats, error) {
	t.Helper()
	opts = append(opts, stream.GiveUp(time.Second, lateAs))
	var got []int
	flow := stream.Through(stream.FromSlice(ints(1, n+1)), stream.Each(call, opts...))
	stats, err := stream.Run(t.Context(), stream.To(flow, stream.SinkFunc[int](func(ctx context.Context, in <-chan stream.Batch[int]) error {
		for b, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			got = append(got, b.Items...)
		}
		return nil
	})))
	return got, stats.Stages[1], err
}

func TestGiveUp(t *testing.T) {
	for _, tc := range []struct {
		name string
		wait func(ctx context.Context, release chan struct{}) error // of every third call
		left int64
		took time.Duration // of 9 calls, 4 at a time
	}{
		{"a call that obeys its context", func(ctx context.Context, _ chan struct{}) error {
			<-ctx.Done()
			return ctx.Err()
		}, 0, time.Second},
		{"a call that ends a little later", func(context.Context, chan struct{}) error {
			time.Sleep(1200 * time.Millisecond)
			return nil
		}, 0, 1200 * time.Millisecond},
		{"a call that never ends", func(_ context.Context, release chan struct{}) error {
			<-release
			return nil
		}, 3, 1500 * time.Millisecond},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				start := time.Now()
				got, stats, err := runEach(t, 9, func(ctx context.Context, i int) (int, error) {
					if i%3 == 0 {
						return i, tc.wait(ctx, release)
					}
					return i, nil
				}, stream.InFlight(4))
				if want := []int{1, 2, -3, 4, 5, -6, 7, 8, -9}; err != nil || !slices.Equal(got, want) {
					t.Errorf("got %v, %v, want %v", got, err, want)
				}
				if stats.Late != 3 || stats.Left != tc.left || stats.Held() != 0 {
					t.Errorf("late %d, left %d, held %d; want 3, %d, 0", stats.Late, stats.Left, stats.Held(), tc.left)
				}
				if took := time.Since(start); took != tc.took {
					t.Errorf("took %v, want %v", took, tc.took)
				}
				close(release)
			})
		})
	}
}

// TestGiveUpKeepsToInFlight has calls that never end: no more than InFlight of
// them run, and the items behind them are late without a call.
func TestGiveUpKeepsToInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g gauge
		var unbegun atomic.Int64
		release := make(chan struct{})
		each := stream.Each(func(context.Context, int) (int, error) {
			g.enter()
			defer g.leave()
			<-release
			return 0, nil
		}, stream.InFlight(3), stream.GiveUp(time.Second, func(i int, late error) (int, error) {
			if late.(*stream.LateError).Unbegun {
				unbegun.Add(1)
			}
			return -i, nil
		}), stream.Window(3))
		got, _, err := stream.Collect(t.Context(), stream.Through(stream.FromSlice(ints(1, 10)), each))
		if want := []int{-1, -2, -3, -4, -5, -6, -7, -8, -9}; err != nil || !slices.Equal(got, want) {
			t.Errorf("got %v, %v", got, err)
		}
		if g.most.Load() != 3 || g.total.Load() != 3 {
			t.Errorf("%d calls, %d at once; want 3", g.total.Load(), g.most.Load())
		}
		if unbegun.Load() != 6 {
			t.Errorf("%d items found no room, want 6", unbegun.Load())
		}
		close(release)
	})
}

func TestGiveUpPassesFailures(t *testing.T) {
	boom := errors.New("boom")
	for name, call := range map[string]func(context.Context, int) (int, error){
		"an error": func(_ context.Context, i int) (int, error) { return i, boom },
		"a panic":  func(context.Context, int) (int, error) { panic(boom) },
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := runEach(t, 5, call, stream.InFlight(1))
			if at, ok := errors.AsType[*stream.StageError](err); !ok || at.Item != 0 || !errors.Is(err, boom) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestGiveUpStops cancels a flow while a call runs: it is not given up but waited
// for, and named when it does not end.
func TestGiveUpStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second/2, cancel)
		each := stream.Each(func(context.Context, int) (int, error) {
			<-release
			return 0, nil
		}, stream.GiveUp(time.Minute, lateAs))
		_, _, err := stream.Collect(ctx, stream.Through(stream.FromSlice(ints(0, 3)), each))
		stuck, ok := errors.AsType[*stream.StuckError](err)
		if !ok || len(stuck.Left) != 3 || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		close(release)
	})
}

func TestGiveUpMistakes(t *testing.T) {
	pass := func(_ context.Context, i int) (int, error) { return i, nil }
	for name, mistake := range map[string]func(){
		"no time":     func() { stream.GiveUp(0, lateAs) },
		"no function": func() { stream.GiveUp[int, int](time.Second, nil) },
		"other types": func() {
			stream.Each(pass, stream.GiveUp(time.Second, func(string, error) (int, error) { return 0, nil }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			mistake()
		})
	}
}

func BenchmarkEachGiveUp(b *testing.B) {
	b.ReportAllocs()
	each := stream.Each(func(_ context.Context, i int) (int, error) { return i, nil }, stream.GiveUp(time.Minute, lateAs))
	_, _, err := stream.Collect(b.Context(), stream.Through(stream.FromSlice(ints(0, b.N)), each))
	if err != nil {
		b.Fatal(err)
	}
}
