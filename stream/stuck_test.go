package stream_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollmill/rollmill/stream"
)

// TestStuck has code that ignores its context: the run ends a second after the
// stop, and says what is left.
func TestStuck(t *testing.T) {
	for _, tc := range []struct {
		name  string
		flow  func(hang func()) stream.Flow[item]
		stage string
		seq   int64
		item  int
		pos   string
		left  int
	}{
		{"each", func(hang func()) stream.Flow[item] {
			return stream.Through(stream.From(numbered(0, 2, 40)), stream.Each(func(_ context.Context, it item) (item, error) {
				if it.V == 7 {
					hang()
				}
				return it, nil
			}, stream.InFlight(3)))
		}, "each", 1, 5, "0:8", 1},
		{"all calls of each", func(hang func()) stream.Flow[item] {
			return stream.Through(stream.From(numbered(0, 40)), stream.Each(func(_ context.Context, it item) (item, error) {
				hang()
				return it, nil
			}, stream.InFlight(3), stream.Name("judge")))
		}, "judge", 0, -2, "", 3},
		{"map", func(hang func()) stream.Flow[item] {
			return stream.Through(stream.From(numbered(0, 1, 1, 1, 1)), stream.Map(2, func(_ context.Context, b stream.Batch[item]) (stream.Batch[item], error) {
				if b.Seq == 2 {
					hang()
				}
				return b, nil
			}))
		}, "map", 2, -1, "", 1},
		{"second of fused maps", func(hang func()) stream.Flow[item] {
			first := stream.Through(stream.From(numbered(0, 1, 1)), stream.Map(1, identity))
			return stream.Through(first, stream.Map(1, func(_ context.Context, b stream.Batch[item]) (stream.Batch[item], error) {
				if b.Seq == 1 {
					hang()
				}
				return b, nil
			}))
		}, "map 2", 1, -1, "", 1},
		{"source", func(hang func()) stream.Flow[item] {
			return stream.From(stream.SourceFunc[item](func(context.Context, chan<- stream.Batch[item]) error {
				hang()
				return nil
			}))
		}, "source", -1, -1, "", 1},
		{"hand-written stage", func(hang func()) stream.Flow[item] {
			return stream.Through(stream.From(numbered(0, 1, 1, 1)), stream.StageFunc[item, item](func(ctx context.Context, in <-chan stream.Batch[item], out chan<- stream.Batch[item]) error {
				for b, err := range stream.Receive(ctx, in) {
					if err != nil {
						return err
					}
					if b.Seq == 2 {
						hang()
					}
				}
				return nil
			}))
		}, "stage", 2, -1, "", 1},
		{"tap", func(hang func()) stream.Flow[item] {
			return stream.Through(stream.From(numbered(0, 1, 1)), stream.Tap(func(_ context.Context, b stream.Batch[item]) error {
				hang()
				return nil
			}))
		}, "tap", 0, -1, "", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				ctx, cancel := context.WithCancelCause(t.Context())
				enough := errors.New("enough")
				time.AfterFunc(time.Minute, func() { cancel(enough) })
				start := time.Now()
				_, err := stream.Run(ctx, stream.To(tc.flow(func() { <-release }), &recorder{}))
				if took := time.Since(start); took != time.Minute+time.Second {
					t.Errorf("ended after %v, want 1m1s", took)
				}
				var stuck *stream.StuckError
				if !errors.As(err, &stuck) || !errors.Is(err, stream.ErrStuck) || !errors.Is(err, enough) || !errors.Is(err, context.Canceled) {
					t.Fatalf("error %v", err)
				}
				if len(stuck.Left) != tc.left {
					t.Fatalf("left %+v, want %d", stuck.Left, tc.left)
				}
				l := stuck.Left[0]
				if l.Stage != tc.stage || l.Seq != tc.seq {
					t.Errorf("left %+v, want stage %q, batch %d", l, tc.stage, tc.seq)
				}
				if tc.item != -2 && l.Item != tc.item {
					t.Errorf("left %+v, want item %d", l, tc.item)
				}
				if tc.pos != "" && l.Pos.String() != tc.pos {
					t.Errorf("left %+v, want position %s", l, tc.pos)
				}
				if !strings.Contains(err.Error(), tc.stage) {
					t.Errorf("%q does not name the stage", err)
				}
				close(release) // and the bubble sees that the rest ends
			})
		})
	}
}

// TestStuckAfterEnough has a source that hangs when its reader wants no more.
func TestStuckAfterEnough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		source := stream.SourceFunc[item](func(ctx context.Context, out chan<- stream.Batch[item]) error {
			if err := stream.Send(ctx, out, stream.Batch[item]{}); err != nil {
				return err
			}
			<-release
			return nil
		})
		start := time.Now()
		_, err := stream.Run(t.Context(), stream.To(stream.From(source), &recorder{limit: 1}))
		if !errors.Is(err, stream.ErrStuck) || time.Since(start) != time.Second {
			t.Errorf("%v after %v, want stuck after 1s", err, time.Since(start))
		}
		close(release)
	})
}

// TestSlowEndIsNotStuck takes most of the second to end.
func TestSlowEndIsNotStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		flow := stream.Through(stream.From(numbered(0, 8)), stream.Each(func(ctx context.Context, it item) (item, error) {
			if it.V == 3 {
				return it, errBoom
			}
			<-ctx.Done()
			time.Sleep(999 * time.Millisecond)
			return it, ctx.Err()
		}))
		_, err := stream.Run(t.Context(), stream.To(flow, &recorder{}))
		if !errors.Is(err, errBoom) || errors.Is(err, stream.ErrStuck) {
			t.Errorf("got %v, want %v", err, errBoom)
		}
	})
}
