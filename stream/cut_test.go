package stream_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stream"
)

// shape says what a batch holds: number, values, rejected records, mark.
func shape(b stream.Batch[item]) string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "%d:", b.Seq)
	for _, it := range b.Items {
		fmt.Fprintf(&sb, " %d", it.V)
	}
	for _, r := range b.Rejects {
		fmt.Fprintf(&sb, " !%d", r.Pos.Record)
	}
	for _, m := range b.Mark {
		fmt.Fprintf(&sb, " @%d", m.Record)
	}
	return sb.String()
}

func TestRebatch(t *testing.T) {
	tens := stream.SizeOf(func(*item) int { return 10 })
	for _, tc := range []struct {
		name  string
		sizes []int
		stage stream.Stage[item, item]
		want  []string
	}{
		{"joins", []int{2, 2, 2}, stream.Rebatch[item](4), []string{"0: 0 1 2 3 @4", "1: 4 5 @6"}},
		{"splits, under the mark of what has left completely", []int{5, 1}, stream.Rebatch[item](2),
			[]string{"0: 0 1", "1: 2 3", "2: 4 5 @6"}},
		{"leaves what fits", []int{3, 3}, stream.Rebatch[item](3), []string{"0: 0 1 2 @3", "1: 3 4 5 @6"}},
		{"rejects leave with the first items after them", []int{1, -1, 1, 3}, stream.Rebatch[item](2),
			[]string{"0: 0 2 !2 @3", "1: 3 4 @3", "2: 5 @6"}},
		{"rejects alone make a batch", []int{-2, -1, -4, 1}, stream.Rebatch[item](3),
			[]string{"0: !1 !2 !3 @3", "1: !4 !5 !6 !7 @7", "2: 7 @8"}},
		{"the last mark leaves", []int{2, 0, 0}, stream.Rebatch[item](2), []string{"0: 0 1 @2", "1: @2"}},
		{"nothing", []int{0}, stream.Rebatch[item](2), []string{"0: @0"}},
		{"cut by bytes", []int{7}, stream.Rebatch[item](100, stream.Bytes(35)), []string{"0: 0 1 2", "1: 3 4 5", "2: 6 @7"}},
		{"exactly full by bytes", []int{3, 1}, stream.Rebatch[item](100, stream.Bytes(30)), []string{"0: 0 1 2 @3", "1: 3 @4"}},
		{"larger than the cut", []int{2}, stream.Rebatch[item](100, stream.Bytes(9)), []string{"0: 0", "1: 1 @2"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := &recorder{}
			stats, err := stream.Run(t.Context(), stream.To(stream.Through(stream.From(numbered(0, tc.sizes...), tens), tc.stage), got))
			if err != nil {
				t.Fatal(err)
			}
			var shapes []string
			for _, b := range got.batches {
				shapes = append(shapes, shape(b))
			}
			if !slices.Equal(shapes, tc.want) {
				t.Errorf("\n got %q\nwant %q", shapes, tc.want)
			}
			if s := stats.Stages[1]; s.BytesIn != s.BytesOut || s.BytesIn != 10*s.ItemsIn {
				t.Errorf("%d bytes in, %d out", s.BytesIn, s.BytesOut)
			}
		})
	}
}

func TestGroupBy(t *testing.T) {
	tens := func(it *item) int { return it.V / 10 }
	source := &script{[]stream.Batch[item]{
		{Items: []item{{V: 1}, {V: 2}, {V: 11}}, Mark: stream.Mark{{Record: 3}}},
		{Items: []item{{V: 12}}, Mark: stream.Mark{{Record: 4}}},
		{Rejects: []stream.Reject{{Pos: stream.Pos{Record: 5}}}, Mark: stream.Mark{{Record: 5}}},
		{Items: []item{{V: 13}, {V: 3}, {V: 21}}, Mark: stream.Mark{{Record: 8}}},
		{Items: []item{{V: 31}}, Mark: stream.Mark{{Record: 9}}},
	}}
	var got []string
	sink := stream.SinkFunc[stream.Group[int, item]](func(ctx context.Context, in <-chan stream.Batch[stream.Group[int, item]]) error {
		for b, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			var sb strings.Builder
			fmt.Fprintf(&sb, "%d:", b.Seq)
			for _, g := range b.Items {
				fmt.Fprintf(&sb, " %d(", g.Key)
				for _, it := range g.Items {
					fmt.Fprintf(&sb, " %d", it.V)
				}
				sb.WriteString(" )")
			}
			for _, r := range b.Rejects {
				fmt.Fprintf(&sb, " !%d", r.Pos.Record)
			}
			for _, m := range b.Mark {
				fmt.Fprintf(&sb, " @%d", m.Record)
			}
			got = append(got, sb.String())
		}
		return nil
	})
	if _, err := stream.Run(t.Context(), stream.To(stream.Through(stream.From(source), stream.GroupBy(tens)), sink)); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"0: 0( 1 2 )",
		"1:",
		"2: !5",
		"3: 1( 11 12 13 ) 0( 3 ) @5",
		"4: 2( 21 ) @8",
		"5: 3( 31 ) @9",
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}
