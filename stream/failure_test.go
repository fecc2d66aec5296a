package stream_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollmill/rollmill/stream"
)

func TestErrorsNameStageAndItem(t *testing.T) {
	source := func() stream.Flow[item] { return stream.From(numbered(3, 2, 5)) }
	fails := func(_ context.Context, it item) (item, error) {
		if it.V == 4 {
			return it, errBoom
		}
		return it, nil
	}
	panics := func(_ context.Context, it item) (item, error) {
		if it.V == 4 {
			panic("at the disco")
		}
		return it, nil
	}
	for _, tc := range []struct {
		name string
		end  func() stream.End
		want string
	}{
		{"map items", func() stream.End {
			return stream.To(stream.Through(source(), stream.MapItems(2, fails)), &recorder{})
		}, "stream: map: batch 1, item 2 (3:5): boom"},
		{"map items panics", func() stream.End {
			return stream.To(stream.Through(source(), stream.MapItems(2, panics)), &recorder{})
		}, "stream: map: batch 1, item 2 (3:5): panic: at the disco"},
		{"each", func() stream.End {
			return stream.To(stream.Through(source(), stream.Each(fails), stream.Name("judge")), &recorder{})
		}, "stream: judge: batch 1, item 2 (3:5): boom"},
		{"each panics", func() stream.End {
			return stream.To(stream.Through(source(), stream.Each(panics, stream.Name("judge"))), &recorder{})
		}, "stream: judge: batch 1, item 2 (3:5): panic: at the disco"},
		{"filter panics", func() stream.End {
			return stream.To(stream.Through(source(), stream.Filter(func(it *item) bool { return 1/(it.V-4) < 9 })), &recorder{})
		}, "stream: filter: batch 1, item 2 (3:5): panic: runtime error: integer divide by zero"},
		{"flatmap", func() stream.End {
			return stream.To(stream.Through(source(), stream.FlatMap(1, func(ctx context.Context, it item, emit func(item)) error {
				_, err := fails(ctx, it)
				return err
			})), &recorder{})
		}, "stream: flatmap: batch 1, item 2 (3:5): boom"},
		{"groupby panics", func() stream.End {
			groups := stream.Through(source(), stream.GroupBy(func(it *item) int { return 1 / (it.V - 4) }))
			return stream.To(groups, stream.SinkFunc[stream.Group[int, item]](func(ctx context.Context, in <-chan stream.Batch[stream.Group[int, item]]) error {
				for range stream.Receive(ctx, in) {
				}
				return nil
			}))
		}, "stream: groupby: batch 1, item 2 (3:5): panic: runtime error: integer divide by zero"},
		{"map names the item", func() stream.End {
			return stream.To(stream.Through(source(), stream.Map(1, func(_ context.Context, b stream.Batch[item]) (stream.Batch[item], error) {
				if b.Seq == 1 {
					return b, &stream.StageError{Item: 2, Err: errBoom}
				}
				return b, nil
			})), &recorder{})
		}, "stream: map: batch 1, item 2 (3:5): boom"},
		{"map does not", func() stream.End {
			return stream.To(stream.Through(source(), stream.Map(1, func(_ context.Context, b stream.Batch[item]) (stream.Batch[item], error) {
				return b, errBoom
			})), &recorder{})
		}, "stream: map: batch 0: boom"},
		{"second of three maps", func() stream.End {
			f := stream.Through(source(), stream.MapItems(2, func(_ context.Context, it item) (item, error) { return it, nil }))
			f = stream.Through(f, stream.MapItems(2, fails))
			return stream.To(stream.Through(f, stream.Map(2, identity)), &recorder{})
		}, "stream: map 2: batch 1, item 2 (3:5): boom"},
		{"tap", func() stream.End {
			return stream.To(stream.Through(source(), stream.Tap(func(_ context.Context, b stream.Batch[item]) error { panic(errBoom) })), &recorder{})
		}, "stream: tap: batch 0: panic: boom"},
		{"source", func() stream.End {
			return stream.To(stream.From(stream.SourceFunc[item](func(context.Context, chan<- stream.Batch[item]) error { return errBoom })), &recorder{})
		}, "stream: source: boom"},
		{"sink", func() stream.End {
			return stream.To(source(), stream.SinkFunc[item](func(ctx context.Context, in <-chan stream.Batch[item]) error {
				for b := range stream.Receive(ctx, in) {
					if b.Seq == 1 {
						panic(errBoom)
					}
				}
				return nil
			}))
		}, "stream: sink: batch 1: panic: boom"},
		{"sink exits", func() stream.End {
			return stream.To(source(), stream.SinkFunc[item](func(context.Context, <-chan stream.Batch[item]) error {
				runtime.Goexit()
				return nil
			}))
		}, "stream: sink: user code called runtime.Goexit"},
		{"map exits", func() stream.End {
			return stream.To(stream.Through(source(), stream.Map(2, func(_ context.Context, b stream.Batch[item]) (stream.Batch[item], error) {
				runtime.Goexit()
				return b, nil
			})), &recorder{})
		}, "stream: map: user code called runtime.Goexit"},
		{"map loses rejects", func() stream.End {
			return stream.To(stream.Through(stream.From(numbered(0, -1)), stream.Map(1, func(_ context.Context, b stream.Batch[item]) (stream.Batch[item], error) {
				return stream.Batch[item]{Items: b.Items}, nil
			})), &recorder{})
		}, "stream: map: batch 0: " + stream.ErrLostRejects.Error()},
		{"merge of inputs numbered alike", func() stream.End {
			return stream.To(stream.Merge(source(), source()), &recorder{})
		}, "stream: merge: batch 0: " + stream.ErrSameInput.Error()},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := stream.Run(t.Context(), tc.end())
			if err == nil || err.Error() != tc.want {
				t.Errorf("got  %v\nwant %s", err, tc.want)
			}
			if p := (*stream.PanicError)(nil); errors.As(err, &p) && !strings.Contains(string(p.Stack), "failure_test.go") {
				t.Errorf("the stack does not show where it was:\n%s", p.Stack)
			}
		})
	}
}

// TestClosedMeansComplete has a sink that takes a closed channel for the end
// of the data and nothing else: it never sees one when the flow failed.
func TestClosedMeansComplete(t *testing.T) {
	fail := func(_ context.Context, it item) (item, error) {
		if it.V == 7 {
			return it, errBoom
		}
		return it, nil
	}
	stages := map[string]stream.Stage[item, item]{
		"map":  stream.MapItems(1, fail),
		"maps": stream.MapItems(3, fail),
		"each": stream.Each(fail),
		"stage": stream.StageFunc[item, item](func(ctx context.Context, in <-chan stream.Batch[item], out chan<- stream.Batch[item]) error {
			return errBoom
		}),
		"stage that swallows the cancellation": stream.StageFunc[item, item](func(ctx context.Context, in <-chan stream.Batch[item], out chan<- stream.Batch[item]) error {
			<-ctx.Done()
			return nil
		}),
	}
	for name, stage := range stages {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				committed := false
				sink := stream.SinkFunc[item](func(ctx context.Context, in <-chan stream.Batch[item]) error {
					for range stream.Receive(ctx, in) {
					}
					time.Sleep(grace / 2) // all others have ended by now
					for {
						select {
						case _, ok := <-in:
							if !ok {
								committed = true
								return nil
							}
						default:
							return context.Cause(ctx)
						}
					}
				})
				_, err := stream.Run(ctx, stream.To(stream.Through(stream.From(numbered(0, 3, 3, 3, 3)), stage), sink))
				if err == nil || committed {
					t.Errorf("error %v, committed %t", err, committed)
				}
			})
		})
	}
}

// grace is how long the package waits for code to end.
const grace = time.Second

// TestCancelWins: when the caller has cancelled, that is the error, whatever
// the stages say about it, and even if all of them come to their end.
func TestCancelWins(t *testing.T) {
	for range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		flow := stream.Through(stream.From(numbered(0, 3)), stream.Each(func(ctx context.Context, it item) (item, error) {
			cancel()
			<-ctx.Done()
			return it, errors.New("lost the connection")
		}))
		if _, err := stream.Run(ctx, stream.To(flow, &recorder{})); !errors.Is(err, context.Canceled) {
			t.Fatalf("stages that fail: %v", err)
		}
		ctx, cancel = context.WithCancel(t.Context())
		sink := stream.SinkFunc[item](func(_ context.Context, in <-chan stream.Batch[item]) error {
			for range in {
			}
			cancel()
			return nil
		})
		if _, err := stream.Run(ctx, stream.To(stream.From(numbered(0, 3)), sink)); !errors.Is(err, context.Canceled) {
			t.Fatalf("stages that end: %v", err)
		}
	}
}

// TestCancelBetweenItems cancels in the middle of a batch of slow items.
func TestCancelBetweenItems(t *testing.T) {
	wait := func(_ context.Context, it item) (item, error) {
		time.Sleep(grace / 2)
		return it, nil
	}
	for name, stage := range map[string]stream.Stage[item, item]{
		"mapitems": stream.MapItems(2, wait),
		"each":     stream.Each(wait, stream.InFlight(1)),
		"flatmap": stream.FlatMap(2, func(ctx context.Context, it item, _ func(item)) error {
			_, err := wait(ctx, it)
			return err
		}),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 10*grace)
				defer cancel()
				_, err := stream.Run(ctx, stream.To(stream.Through(stream.From(numbered(0, 1000)), stage), &recorder{}))
				if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, stream.ErrStuck) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

func TestCallerCancels(t *testing.T) {
	t.Run("before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		got := &recorder{}
		_, err := stream.Run(ctx, stream.To(stream.From(numbered(0, 3)), got))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("with a cause", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			why := errors.New("interrupted")
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Second, func() { cancel(why) })
			_, err := stream.Run(ctx, stream.To(stream.FromChan(make(chan item)), &recorder{}))
			if !errors.Is(err, context.Canceled) || !errors.Is(err, why) {
				t.Errorf("got %v", err)
			}
		})
	})
	t.Run("by a deadline", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := stream.Run(ctx, stream.To(stream.FromChan(make(chan item)), &recorder{}))
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
		})
	})
	t.Run("a stage's own deadline is a failure", func(t *testing.T) {
		flow := stream.Through(stream.From(numbered(0, 3)), stream.Each(func(context.Context, item) (item, error) {
			return item{}, context.DeadlineExceeded
		}))
		_, err := stream.Run(t.Context(), stream.To(flow, &recorder{}))
		var stage *stream.StageError
		if !errors.As(err, &stage) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

// TestFirstErrorWins has everything fail when the first thing does.
func TestFirstErrorWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		flow := stream.Through(stream.From(numbered(0, 8)), stream.Each(func(ctx context.Context, it item) (item, error) {
			if it.V == 5 {
				time.Sleep(time.Second)
				return it, errBoom
			}
			<-ctx.Done()
			return it, errors.New("lost the connection")
		}))
		_, err := stream.Run(t.Context(), stream.To(flow, &recorder{}))
		if !errors.Is(err, errBoom) {
			t.Errorf("got %v, want %v", err, errBoom)
		}
	})
}
