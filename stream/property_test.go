package stream_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stream"
)

var errBoom = errors.New("boom")

// plan is a random graph and what must come out of it. It is drawn outside of
// the bubble in which the graph runs.
type plan struct {
	flow    func() stream.Flow[item]
	want    []item
	rejects []stream.Reject
	sides   []*side // sinks of other branches
	ordered bool
	marks   map[uint32]int64 // last record of each input; nil if marks end somewhere
	trace   []string
}

// side is a branch that ends on its own.
type side struct {
	got  *recorder
	want []item
	end  stream.End
}

// fault is what goes wrong in a random graph.
type fault struct {
	kind  string // none, error, panic, cancel, enough
	value int    // that fails
	after time.Duration
	limit int
}

// work takes a while, in fake time, that depends on the item.
func work(it item) { time.Sleep(time.Duration(it.V*7%11) * time.Millisecond) }

func drawSource(rt *rapid.T, input uint32) *script {
	sizes := rapid.SliceOfN(rapid.IntRange(-3, 9), 1, 25).Draw(rt, "batch sizes")
	return numbered(input, sizes...)
}

func drawPlan(rt *rapid.T, f *fault) *plan {
	src := drawSource(rt, 0)
	p := &plan{ordered: true, marks: map[uint32]int64{}}
	p.flow = func() stream.Flow[item] {
		return stream.From(src, stream.SizeOf(func(it *item) int { return 1 + it.V%5 }))
	}
	p.add(src)
	for range rapid.IntRange(0, 6).Draw(rt, "stages") {
		p.step(rt, f)
	}
	return p
}

func (p *plan) add(s *script) {
	for _, b := range s.batches {
		p.want = append(p.want, b.Items...)
		p.rejects = append(p.rejects, b.Rejects...)
		p.marks[b.Mark[0].Input] = b.Mark[0].Record
	}
}

// through appends a stage and applies its meaning to what is wanted.
func (p *plan) through(stage func() stream.Stage[item, item], meaning func(item) ([]item, bool)) {
	before := p.flow
	p.flow = func() stream.Flow[item] { return stream.Through(before(), stage()) }
	if meaning == nil {
		return
	}
	var want []item
	for _, it := range p.want {
		results, refused := meaning(it)
		if refused {
			p.rejects = append(p.rejects, refuse(it))
		}
		want = append(want, results...)
	}
	p.want = want
}

func refuse(it item) stream.Reject {
	return stream.Reject{Pos: it.Pos, Stage: "test", Code: "refused", Detail: fmt.Sprint(it.V)}
}

// step draws one stage.
func (p *plan) step(rt *rapid.T, f *fault) {
	workers := rapid.IntRange(1, 5).Draw(rt, "workers")
	n := rapid.IntRange(1, 12).Draw(rt, "n")
	unordered := rapid.IntRange(0, 9).Draw(rt, "unordered") == 0
	var opts []stream.Option
	kind := rapid.SampledFrom([]string{"map", "mapitems", "filter", "flatmap", "each", "rebatch", "bytes", "groupby", "tap", "hand", "merge", "ready", "tee"}).Draw(rt, "kind")
	if unordered && slices.Contains([]string{"map", "mapitems", "filter", "flatmap", "each"}, kind) {
		opts = append(opts, stream.Unordered())
		p.ordered, p.marks = false, nil
	}
	p.trace = append(p.trace, fmt.Sprintf("%s(%d,%d,%t)", kind, workers, n, len(opts) > 0))
	change := func(_ context.Context, it item) (item, error) {
		work(it)
		switch {
		case f.kind == "error" && it.V == f.value:
			return it, errBoom
		case f.kind == "panic" && it.V == f.value:
			panic(errBoom)
		case it.V%n == n-1:
			return it, &stream.RejectError{Reject: refuse(it)}
		}
		it.V++
		return it, nil
	}
	meaning := func(it item) ([]item, bool) {
		if it.V%n == n-1 {
			return nil, true
		}
		it.V++
		return []item{it}, false
	}
	switch kind {
	case "map":
		p.through(func() stream.Stage[item, item] {
			return stream.Map(workers, func(_ context.Context, b stream.Batch[item]) (stream.Batch[item], error) {
				for i := range b.Items {
					work(b.Items[i])
					b.Items[i].V += 3
				}
				return b, nil
			}, opts...)
		}, func(it item) ([]item, bool) { it.V += 3; return []item{it}, false })
	case "mapitems":
		p.through(func() stream.Stage[item, item] { return stream.MapItems(workers, change, opts...) }, meaning)
	case "each":
		opts = append(opts, stream.InFlight(workers), stream.Window(n))
		p.through(func() stream.Stage[item, item] { return stream.Each(change, opts...) }, meaning)
	case "filter":
		p.through(func() stream.Stage[item, item] {
			return stream.Filter(func(it *item) bool { return it.V%n != 0 }, opts...)
		}, func(it item) ([]item, bool) {
			if it.V%n == 0 {
				return nil, false
			}
			return []item{it}, false
		})
	case "flatmap":
		p.through(func() stream.Stage[item, item] {
			return stream.FlatMap(workers, func(_ context.Context, it item, emit func(item)) error {
				for range it.V % 3 {
					emit(it)
				}
				return nil
			}, opts...)
		}, func(it item) ([]item, bool) { return slices.Repeat([]item{it}, it.V%3), false })
	case "rebatch":
		p.through(func() stream.Stage[item, item] { return stream.Rebatch[item](n) }, nil)
	case "bytes":
		p.through(func() stream.Stage[item, item] { return stream.Rebatch[item](20, stream.Bytes(n)) }, nil)
	case "tap":
		p.through(func() stream.Stage[item, item] {
			return stream.Tap(func(context.Context, stream.Batch[item]) error { return nil })
		}, nil)
	case "hand":
		p.through(func() stream.Stage[item, item] { return &pass{} }, nil)
	case "groupby":
		before := p.flow
		size := stream.SizeOf(func(it *item) int { return 1 + it.V%5 })
		p.flow = func() stream.Flow[item] {
			groups := stream.Through(before(), stream.GroupBy(func(it *item) int { return it.V / n }))
			return stream.Through(groups, stream.FlatMap(workers, func(_ context.Context, g stream.Group[int, item], emit func(item)) error {
				for _, it := range g.Items {
					if it.V/n != g.Key {
						return errors.New("wrong group")
					}
					emit(it)
				}
				return nil
			}, size))
		}
	case "merge", "ready":
		before, input := p.flow, uint32(len(p.trace))
		src := drawSource(rt, input)
		if p.marks == nil {
			p.marks = map[uint32]int64{}
			defer func() { p.marks = nil }()
		}
		p.add(src)
		p.flow = func() stream.Flow[item] {
			if kind == "merge" {
				return stream.Merge(before(), stream.From(src))
			}
			return stream.MergeReady(before(), stream.From(src))
		}
		if kind == "ready" {
			p.ordered, p.marks = false, nil
		}
	case "tee":
		before, s := p.flow, &side{got: &recorder{}, want: slices.Clone(p.want)}
		p.sides = append(p.sides, s)
		p.flow = func() stream.Flow[item] {
			flows := stream.Tee(before(), 2)
			s.end = stream.To(flows[1], s.got)
			return flows[0]
		}
	}
}

// result is what a run of a plan gave.
type result struct {
	main  *recorder
	stats *stream.Stats
	err   error
	took  time.Duration
}

func (p *plan) run(t *testing.T, f *fault) (r result) {
	synctest.Test(t, func(t *testing.T) {
		r.main = &recorder{delay: time.Millisecond}
		if f.kind == "enough" {
			r.main.limit = f.limit
		}
		ends := []stream.End{stream.To(p.flow(), r.main)}
		for _, s := range p.sides {
			ends = append(ends, s.end)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if f.kind == "cancel" {
			time.AfterFunc(f.after, cancel)
		}
		start := time.Now()
		r.stats, r.err = stream.Run(ctx, ends...)
		r.took = time.Since(start)
		// The bubble panics if a goroutine is left.
	})
	return r
}

// TestRandomGraphs runs random graphs without faults: everything arrives, in
// order, under gapless numbers and true marks, and the counts add up.
func TestRandomGraphs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := &fault{kind: "none"}
		p := drawPlan(rt, f)
		r := p.run(t, f)
		if r.err != nil {
			rt.Fatalf("%v: %v", p.trace, r.err)
		}
		checkItems(rt, p.trace, r.main, p.want, p.ordered)
		for i, s := range p.sides {
			checkItems(rt, append(p.trace, fmt.Sprint("side ", i)), s.got, s.want, p.ordered)
		}
		checkRejects(rt, r.main, p.rejects)
		checkMarks(rt, p, r.main)
		checkStats(rt, r.stats)
		for _, s := range r.stats.Stages {
			if s.Held() != 0 || !s.Ended {
				rt.Fatalf("%v: %+v holds %d", p.trace, s, s.Held())
			}
		}
	})
}

// TestRandomFaults runs random graphs in which something goes wrong: the run
// ends, with the right error, within a second, and leaves nothing running.
func TestRandomFaults(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := &fault{
			kind:  rapid.SampledFrom([]string{"error", "panic", "cancel", "enough"}).Draw(rt, "fault"),
			value: rapid.IntRange(0, 40).Draw(rt, "value"),
			after: time.Duration(rapid.IntRange(0, 100).Draw(rt, "after")) * time.Millisecond,
			limit: rapid.IntRange(1, 10).Draw(rt, "limit"),
		}
		p := drawPlan(rt, f)
		r := p.run(t, f)
		var stage *stream.StageError
		switch {
		case r.err == nil:
			if f.kind != "enough" {
				checkItems(rt, p.trace, r.main, p.want, p.ordered)
			}
		case f.kind == "cancel":
			if !errors.Is(r.err, context.Canceled) {
				rt.Fatalf("%v: %v, want a cancellation", p.trace, r.err)
			}
			if r.took > f.after+time.Second {
				rt.Fatalf("%v: ended after %v, cancelled after %v", p.trace, r.took, f.after)
			}
		case f.kind == "enough" || !errors.Is(r.err, errBoom) || !errors.As(r.err, &stage):
			rt.Fatalf("%v: %v", p.trace, r.err)
		case stage.Item < 0 || stage.Seq < 0 || stage.Pos == stream.Pos{}:
			rt.Fatalf("%v: %v does not name its item", p.trace, r.err)
		}
		if f.kind == "enough" && len(r.main.batches) > f.limit {
			rt.Fatalf("%v: %d batches after a limit of %d", p.trace, len(r.main.batches), f.limit)
		}
		checkSeq(rt, r.main)
		checkStats(rt, r.stats)
		if p.ordered { // what came is a prefix of what was wanted
			got := gather(r.main)
			if len(got) > len(p.want) || !slices.Equal(got, p.want[:len(got)]) {
				rt.Fatalf("%v:\n got %v\nwant %v", p.trace, got, p.want)
			}
		}
	})
}

// TestWorkersDoNotShow runs one graph with different numbers of workers.
func TestWorkersDoNotShow(t *testing.T) {
	build := func(workers int) stream.Flow[item] {
		f := stream.From(numbered(0, 5, 0, -2, 9, 1, 7))
		f = stream.Through(f, stream.Map(workers, identity))
		f = stream.Through(f, stream.Each(func(_ context.Context, it item) (item, error) { return it, nil }, stream.InFlight(workers)))
		return stream.Through(f, stream.Rebatch[item](4))
	}
	var first *recorder
	for _, workers := range []int{1, 2, 8} {
		got := &recorder{}
		if _, err := stream.Run(t.Context(), stream.To(build(workers), got)); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		}
		if fmt.Sprint(got.batches) != fmt.Sprint(first.batches) {
			t.Errorf("%d workers:\n got %v\nwant %v", workers, got.batches, first.batches)
		}
	}
}

func gather(r *recorder) []item {
	var items []item
	for _, b := range r.batches {
		items = append(items, b.Items...)
	}
	return items
}

func checkItems(rt *rapid.T, trace []string, r *recorder, want []item, ordered bool) {
	got, want := gather(r), slices.Clone(want)
	if !ordered {
		byPlace := func(a, b item) int { return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.V, b.V)) }
		slices.SortFunc(got, byPlace)
		slices.SortFunc(want, byPlace)
	}
	if !slices.Equal(got, want) {
		rt.Fatalf("%v:\n got %v\nwant %v", trace, got, want)
	}
	checkSeq(rt, r)
}

func checkSeq(rt *rapid.T, r *recorder) {
	for i, b := range r.batches {
		if b.Seq != uint64(i) {
			rt.Fatalf("batch %d has Seq %d", i, b.Seq)
		}
	}
}

func checkRejects(rt *rapid.T, r *recorder, want []stream.Reject) {
	var got []string
	for _, b := range r.batches {
		for _, x := range b.Rejects {
			got = append(got, fmt.Sprint(x))
		}
	}
	var wanted []string
	for _, x := range want {
		wanted = append(wanted, fmt.Sprint(x))
	}
	slices.Sort(got)
	slices.Sort(wanted)
	if !slices.Equal(got, wanted) {
		rt.Fatalf("rejects:\n got %v\nwant %v", got, wanted)
	}
}

// checkMarks holds each mark against what had arrived with its batch.
func checkMarks(rt *rapid.T, p *plan, r *recorder) {
	type place struct {
		input  uint32
		record int64
	}
	missing := map[place]int{}
	for _, it := range p.want {
		missing[place{it.Pos.Input, it.Pos.Record}]++
	}
	for _, x := range p.rejects {
		missing[place{x.Pos.Input, x.Pos.Record}]++
	}
	var last stream.Mark
	for _, b := range r.batches {
		if p.marks == nil && b.Mark != nil {
			rt.Fatalf("%v: an unordered flow has the mark %v", p.trace, b.Mark)
		}
		for _, it := range b.Items {
			missing[place{it.Pos.Input, it.Pos.Record}]--
		}
		for _, x := range b.Rejects {
			missing[place{x.Pos.Input, x.Pos.Record}]--
		}
		for _, m := range b.Mark {
			for record := int64(1); record <= m.Record; record++ {
				if n := missing[place{m.Input, record}]; n != 0 {
					rt.Fatalf("%v: batch %d has the mark %v but %d of %d:%d are missing", p.trace, b.Seq, b.Mark, n, m.Input, record)
				}
			}
		}
		for _, was := range last {
			if i := slices.IndexFunc(b.Mark, func(m stream.InputMark) bool { return m.Input == was.Input }); i < 0 || b.Mark[i].Record < was.Record {
				rt.Fatalf("%v: mark %v comes after %v", p.trace, b.Mark, last)
			}
		}
		if !slices.IsSortedFunc(b.Mark, func(a, b stream.InputMark) int { return cmp.Compare(a.Input, b.Input) }) {
			rt.Fatalf("mark %v is not ordered", b.Mark)
		}
		last = b.Mark
	}
	for input, record := range p.marks {
		if !slices.Contains(last, stream.InputMark{Input: input, Record: record, Done: true}) {
			rt.Fatalf("%v: the last mark %v lacks the end of input %d", p.trace, last, input)
		}
	}
}

// checkStats holds the counts of a run against each other.
func checkStats(rt *rapid.T, stats *stream.Stats) {
	checkSum(rt, stats)
	for _, s := range stats.Stages {
		if s.Dropped < 0 || s.ItemsIn < 0 || s.Held() < 0 {
			rt.Fatalf("%+v holds %d", s, s.Held())
		}
		if s.Busy < 0 || s.WaitIn < 0 || s.WaitOut < 0 {
			rt.Fatalf("times of %+v", s)
		}
	}
}

// checkSum holds that everything that was made is accounted for.
func checkSum(t interface{ Errorf(string, ...any) }, stats *stream.Stats) {
	var sum int64
	for _, s := range stats.Stages {
		sum += s.Made - s.Dropped - s.Kept - s.Held()
	}
	if sum != 0 {
		t.Errorf("%d of what was made are unaccounted for: %+v", sum, stats.Stages)
	}
}
