package stream_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stream"
)

func TestPosOrder(t *testing.T) {
	pos := rapid.Custom(func(rt *rapid.T) stream.Pos {
		return stream.Pos{
			Input:  rapid.Uint32Range(0, 2).Draw(rt, "input"),
			Record: rapid.Int64Range(1, 3).Draw(rt, "record"),
			Part:   rapid.Uint32Range(0, 2).Draw(rt, "part"),
			Offset: rapid.Int64Range(0, 9).Draw(rt, "offset"), // does not count
		}
	})
	rapid.Check(t, func(rt *rapid.T) {
		p, q := pos.Draw(rt, "p"), pos.Draw(rt, "q")
		want := slices.Compare([]int64{int64(p.Input), p.Record, int64(p.Part)}, []int64{int64(q.Input), q.Record, int64(q.Part)})
		if got := p.Compare(q); got != want || q.Compare(p) != -want {
			rt.Fatalf("%v against %v: %d and %d, want %d and %d", p, q, got, q.Compare(p), want, -want)
		}
	})
}

func TestPosString(t *testing.T) {
	for want, p := range map[string]stream.Pos{
		"2:41":   {Input: 2, Record: 41},
		"0:41.3": {Record: 41, Part: 3},
	} {
		if got := p.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestErrorTexts(t *testing.T) {
	at := stream.Pos{Record: 7}
	for want, err := range map[string]error{
		"stream: 0:7: rejected by decode: bad_json: no value": &stream.RejectError{Reject: stream.Reject{Pos: at, Stage: "decode", Code: "bad_json", Detail: "no value"}},
		"stream: grade: boom":                                                   &stream.StageError{Stage: "grade", Seq: -1, Item: -1, Err: errBoom},
		"stream: grade: batch 2, item 3 (0:7): boom":                            &stream.StageError{Stage: "grade", Seq: 2, Item: 3, Pos: at, Err: errBoom},
		"stream: stuck: left 1 running a second after the stop: grade: batch 2": &stream.StuckError{Left: []stream.StuckCall{{Stage: "grade", Seq: 2, Item: -1}}},
		"stream: stuck: left 6 running a second after the stop: a, a, a, a, and 2 more; stopped by: boom": &stream.StuckError{
			Left: slices.Repeat([]stream.StuckCall{{Stage: "a", Seq: -1, Item: -1}}, 6), Cause: errBoom},
	} {
		if got := err.Error(); got != want {
			t.Errorf("\n got %q\nwant %q", got, want)
		}
	}
}

// TestPositionOfPointers: an item that is a pointer can be Positioned too.
func TestPositionOfPointers(t *testing.T) {
	it := &item{Pos: stream.Pos{Input: 1, Record: 5}}
	flow := stream.Through(stream.FromSlice([]*item{it}), stream.Each(func(context.Context, *item) (int, error) { return 0, errBoom }))
	_, _, err := stream.Collect(t.Context(), flow)
	var stage *stream.StageError
	if !errors.As(err, &stage) || stage.Pos != it.Pos {
		t.Errorf("got %v", err)
	}
}
