package stream_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/rollmill/rollmill/stream"
)

// TestTeeBranchesDoNotDisturbEachOther changes the items in place in one
// branch and, after a Merge, in another, drops some in a third, adds rejects in
// two more, and looks at the last.
func TestTeeBranchesDoNotDisturbEachOther(t *testing.T) {
	tee := stream.Tee(stream.From(numbered(0, 50, 50, -2, 50)), 6)
	change := stream.Map(2, func(_ context.Context, b stream.Batch[item]) (stream.Batch[item], error) {
		for i := range b.Items {
			b.Items[i].V = -1
		}
		return b, nil
	})
	changed := stream.Through(tee[0], change)
	merged := stream.Through(stream.Merge(tee[4], stream.From(numbered(1, 0))), change)
	even := stream.Through(tee[1], stream.Filter(func(it *item) bool { return it.V%2 == 0 }))
	refuse := func(code string) stream.Stage[item, item] {
		return stream.MapItems(2, func(_ context.Context, it item) (item, error) {
			return it, &stream.RejectError{Reject: stream.Reject{Code: code}}
		})
	}
	var got [6]recorder
	_, err := stream.Run(t.Context(), stream.To(changed, &got[0]), stream.To(even, &got[1]),
		stream.To(stream.Through(tee[2], refuse("this")), &got[2]), stream.To(tee[3], &got[3]),
		stream.To(merged, &got[4]), stream.To(stream.Through(tee[5], refuse("that")), &got[5]))
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Concat(ints(0, 100), ints(102, 152))
	if !slices.Equal(got[3].values(), all) {
		t.Errorf("the branch that looks has %v", got[3].values())
	}
	if !slices.Equal(got[0].values(), slices.Repeat([]int{-1}, 150)) {
		t.Errorf("the branch that changes has %v", got[0].values())
	}
	if want := slices.DeleteFunc(slices.Clone(all), func(v int) bool { return v%2 == 1 }); !slices.Equal(got[1].values(), want) {
		t.Errorf("the branch that filters has %v", got[1].values())
	}
	for i, want := range []map[string]int{{"bad": 2}, {"bad": 2}, {"bad": 2, "this": 150}, {"bad": 2}, {"bad": 2}, {"bad": 2, "that": 150}} {
		codes := map[string]int{}
		for _, b := range got[i].batches {
			for _, r := range b.Rejects {
				codes[r.Code]++
			}
		}
		if !maps.Equal(codes, want) {
			t.Errorf("branch %d has the rejects %v, want %v", i, codes, want)
		}
	}
}

func TestTeeGoesOnWithoutABranchThatEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tee := stream.Tee(stream.From(numbered(0, slices.Repeat([]int{1}, 50)...)), 2)
		head, all := &recorder{limit: 3}, &recorder{}
		stats, err := stream.Run(t.Context(), stream.To(tee[0], head), stream.To(tee[1], all))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(head.values(), ints(0, 3)) || !slices.Equal(all.values(), ints(0, 50)) {
			t.Errorf("got %v and %v", head.values(), all.values())
		}
		checkSum(t, stats)
	})
}

// TestEnoughStopsTheSource has an endless source and sinks that want no more.
func TestEnoughStopsTheSource(t *testing.T) {
	endless := func() stream.Flow[int] {
		return stream.FromSeq(func(yield func(int) bool) {
			for i := 0; yield(i); i++ {
			}
		}, stream.Items(10))
	}
	first := func(n int) stream.Sink[int] {
		return stream.SinkFunc[int](func(_ context.Context, in <-chan stream.Batch[int]) error {
			for range n {
				<-in
			}
			return nil
		})
	}
	double := stream.MapItems(3, func(_ context.Context, i int) (int, error) { return 2 * i, nil })
	wait := stream.Each(func(_ context.Context, i int) (int, error) { return i, nil })
	for name, ends := range map[string]func() []stream.End{
		"source": func() []stream.End { return []stream.End{stream.To(endless(), first(3))} },
		"stages": func() []stream.End {
			return []stream.End{stream.To(stream.Through(stream.Through(endless(), double), wait), first(3))}
		},
		"at once": func() []stream.End { return []stream.End{stream.To(stream.Through(endless(), double), first(0))} },
		"merge":   func() []stream.End { return []stream.End{stream.To(stream.Merge(endless(), endless()), first(3))} },
		"ready":   func() []stream.End { return []stream.End{stream.To(stream.MergeReady(endless(), endless()), first(3))} },
		"tee": func() []stream.End {
			tee := stream.Tee(endless(), 2)
			return []stream.End{stream.To(tee[0], first(1)), stream.To(tee[1], first(5))}
		},
		"stage that wants no more": func() []stream.End {
			head := stream.StageFunc[int, int](func(ctx context.Context, in <-chan stream.Batch[int], out chan<- stream.Batch[int]) error {
				return stream.Send(ctx, out, <-in)
			})
			return []stream.End{stream.To(stream.Through(endless(), head), first(5))}
		},
	} {
		t.Run(name, func(t *testing.T) {
			stats, err := stream.Run(t.Context(), ends()...)
			if err != nil {
				t.Fatal(err)
			}
			checkSum(t, stats)
		})
	}
}

func TestMergeConcatenates(t *testing.T) {
	got := &recorder{}
	flow := stream.Merge(stream.From(numbered(7, 2, 1)), stream.From(numbered(3, 1, 0, 2)))
	if _, err := stream.Run(t.Context(), stream.To(flow, got)); err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 1, 2, 0, 1, 2}; !slices.Equal(got.values(), want) {
		t.Errorf("got %v, want %v", got.values(), want)
	}
	end := stream.InputMark{Input: 7, Record: 3, Done: true}
	want := []stream.Mark{
		{{Input: 7, Record: 2}}, {end},
		{{Input: 3, Record: 1}, end}, {{Input: 3, Record: 1}, end}, {{Input: 3, Record: 3, Done: true}, end},
	}
	for i, b := range got.batches {
		if b.Seq != uint64(i) || !slices.Equal(b.Mark, want[i]) {
			t.Errorf("batch %d has Seq %d and mark %v, want %v", i, b.Seq, b.Mark, want[i])
		}
	}
}

func TestMergeReadyInterleaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan item)
		ctx, cancel := context.WithCancel(t.Context())
		got := &recorder{limit: 2}
		flow := stream.MergeReady(stream.FromChan(never), stream.From(numbered(0, 1, 1)))
		_, err := stream.Run(ctx, stream.To(flow, got))
		if err != nil || !slices.Equal(got.values(), []int{0, 1}) || got.batches[1].Mark != nil {
			t.Errorf("%v, %v", err, got.batches)
		}
		cancel()
	})
}
