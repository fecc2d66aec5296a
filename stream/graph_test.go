package stream_test

import (
	"context"
	"errors"
	"testing"

	"github.com/rollmill/rollmill/stream"
)

// pass is a hand-written stage that holds state.
type pass struct{ seen int }

func (p *pass) Run(ctx context.Context, in <-chan stream.Batch[item], out chan<- stream.Batch[item]) error {
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		p.seen += len(b.Items)
		if err := stream.Send(ctx, out, b); err != nil {
			return err
		}
	}
	return nil
}

func identity(_ context.Context, b stream.Batch[item]) (stream.Batch[item], error) { return b, nil }

func TestGraphErrors(t *testing.T) {
	from := func() stream.Flow[item] { return stream.From(numbered(0, 3, 3)) }
	sink := func() *recorder { return &recorder{} }
	for _, tc := range []struct {
		name string
		want error
		ends func() []stream.End
	}{
		{"no ends", stream.ErrNoEnds, func() []stream.End { return nil }},
		{"flow ended twice", stream.ErrUsedTwice, func() []stream.End {
			f := from()
			return []stream.End{stream.To(f, sink()), stream.To(f, sink())}
		}},
		{"end given twice", stream.ErrUsedTwice, func() []stream.End {
			e := stream.To(from(), sink())
			return []stream.End{e, e}
		}},
		{"flow used by two stages", stream.ErrUsedTwice, func() []stream.End {
			f := from()
			stream.Through(f, stream.Map(1, identity))
			return []stream.End{stream.To(stream.Through(f, stream.Map(1, identity)), sink())}
		}},
		{"flow between fused stages used twice", stream.ErrUsedTwice, func() []stream.End {
			f := stream.Through(from(), stream.Map(1, identity))
			g := stream.Through(f, stream.Map(1, identity))
			return []stream.End{stream.To(g, sink()), stream.To(f, sink())}
		}},
		{"branch not ended", stream.ErrNotEnded, func() []stream.End {
			return []stream.End{stream.To(stream.Tee(from(), 2)[0], sink())}
		}},
		{"branch ended elsewhere", stream.ErrNotEnded, func() []stream.End {
			tee := stream.Tee(from(), 2)
			stream.To(tee[1], sink())
			return []stream.End{stream.To(tee[0], sink())}
		}},
		{"one stage in two places", stream.ErrReused, func() []stream.End {
			p := &pass{}
			return []stream.End{stream.To(stream.Through(stream.Through(from(), p), p), sink())}
		}},
		{"one sink in two places", stream.ErrReused, func() []stream.End {
			s := sink()
			return []stream.End{stream.To(from(), s), stream.To(from(), s)}
		}},
		{"one source in two places", stream.ErrReused, func() []stream.End {
			s := numbered(0, 1)
			return []stream.End{stream.To(stream.From(s), sink()), stream.To(stream.From(s), sink())}
		}},
		{"byte cut without a size", stream.ErrNoSize, func() []stream.End {
			return []stream.End{stream.To(stream.Through(from(), stream.Rebatch[item](8, stream.Bytes(100))), sink())}
		}},
		{"byte cut of a slice without a size", stream.ErrNoSize, func() []stream.End {
			return []stream.End{stream.To(stream.FromSlice([]item{{}}, stream.Bytes(100)), sink())}
		}},
		{"merge of two branches", stream.ErrDeadlock, func() []stream.End {
			tee := stream.Tee(from(), 2)
			a := stream.Through(tee[0], stream.Map(1, identity))
			return []stream.End{stream.To(stream.Merge(a, tee[1]), sink())}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ends := tc.ends()
			if _, err := stream.Start(t.Context(), ends...); !errors.Is(err, tc.want) {
				t.Errorf("Start: %v, want %v", err, tc.want)
			}
			if _, err := stream.Run(t.Context(), ends...); !errors.Is(err, tc.want) {
				t.Errorf("Run: %v, want %v", err, tc.want)
			}
		})
	}
}

func TestFlowRunsOnce(t *testing.T) {
	end := stream.To(stream.From(numbered(0, 3)), &recorder{})
	if _, err := stream.Run(t.Context(), end); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Run(t.Context(), end); !errors.Is(err, stream.ErrStarted) {
		t.Errorf("second run: %v, want %v", err, stream.ErrStarted)
	}
}

func TestReadyMadeStageInTwoPlaces(t *testing.T) {
	double := stream.MapItems(2, func(_ context.Context, v int) (int, error) { return 2 * v, nil })
	got, _, err := stream.Collect(t.Context(), stream.Through(stream.Through(stream.FromSlice([]int{1, 2}), double), double))
	if err != nil || len(got) != 2 || got[0] != 4 || got[1] != 8 {
		t.Errorf("got %v, %v; want [4 8]", got, err)
	}
}

func TestMisusePanics(t *testing.T) {
	flow := stream.FromSlice([]int{1})
	for name, f := range map[string]func(){
		"stream: Map(0): want at least 1":             func() { stream.Map(0, identity) },
		"stream: Map of a nil function":               func() { stream.Map[int, int](1, nil) },
		"stream: Filter of a nil function":            func() { stream.Filter[int](nil) },
		"stream: Each of a nil function":              func() { stream.Each[int, int](nil) },
		"stream: InFlight(0): want at least 1":        func() { stream.InFlight(0) },
		"stream: Window(-1): want at least 1":         func() { stream.Window(-1) },
		"stream: Rebatch(0): want at least 1":         func() { stream.Rebatch[int](0) },
		"stream: Tee(0): want at least 1":             func() { stream.Tee(flow, 0) },
		"stream: Merge(0): want at least 1":           func() { stream.Merge[int]() },
		"stream: From of a nil source":                func() { stream.From[int](nil) },
		"stream: To a nil sink":                       func() { stream.To(flow, nil) },
		"stream: Through of a Flow that nothing made": func() { stream.Through(stream.Flow[item]{}, stream.Map(1, identity)) },
		"stream: Map does not take Window":            func() { stream.Map(1, identity, stream.Window(3)) },
		"stream: SizeOf stream.Size[int] on a flow of string": func() {
			stream.FromSlice([]string{"a"}, stream.SizeOf(func(*int) int { return 1 }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if got := recover(); got != name {
					t.Errorf("panic %q, want %q", got, name)
				}
			}()
			f()
		})
	}
}
