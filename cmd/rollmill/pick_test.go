package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// picked is what a pick let through and counted.
type picked struct {
	Rows, Rejects    []int64 // numbers of records
	Seen, Kept, Left int64
}

// through runs a pick over records, of which the third in tens are rejects, in
// batches of the given sizes.
func through(t interface{ Fatal(...any) }, p pick, records int64, sizes func(left int64) int64) (got picked) {
	next := int64(1)
	source := stream.SourceFunc[rollout.Row](func(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
		for next <= records {
			var b stream.Batch[rollout.Row]
			for end := next + sizes(records-next+1); next < end; next++ {
				pos := stream.Pos{Record: next}
				if next%10 == 3 {
					b.Rejects = append(b.Rejects, stream.Reject{Pos: pos})
				} else {
					b.Items = append(b.Items, rollout.Row{Pos: pos, TaskID: fmt.Sprint(next / 4)})
				}
			}
			if err := stream.Send(ctx, out, b); err != nil {
				return err
			}
		}
		return nil
	})
	rows, rejects, err := stream.Collect(context.Background(), stream.Through(stream.From(source), &p))
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		got.Rows = append(got.Rows, rows[i].Pos.Record)
	}
	for i := range rejects {
		got.Rejects = append(got.Rejects, rejects[i].Pos.Record)
	}
	got.Seen, got.Kept, got.Left = p.seen, p.kept, p.left
	return got
}

// What is picked and counted does not depend on the batches, and every record
// that was seen is accounted for.
func TestPropertyPick(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := pick{
			share: rapid.SampledFrom([]float64{1, 0.5, 0.1}).Draw(t, "share"),
			seed:  rapid.Uint64Range(0, 3).Draw(t, "seed"),
			limit: rapid.Int64Range(0, 40).Draw(t, "limit"),
		}
		records := rapid.Int64Range(0, 60).Draw(t, "records")
		whole := through(t, p, records, func(left int64) int64 { return left })
		cut := through(t, p, records, func(left int64) int64 { return rapid.Int64Range(1, left).Draw(t, "batch") })
		if d := cmp.Diff(whole, cut); d != "" {
			t.Fatal(d)
		}
		if whole.Kept != int64(len(whole.Rows)) || whole.Seen != whole.Kept+whole.Left+int64(len(whole.Rejects)) {
			t.Fatalf("%+v does not add up", whole)
		}
		if p.limit > 0 && whole.Kept > p.limit {
			t.Fatalf("%d rows of at most %d", whole.Kept, p.limit)
		}
		tasks := map[int64]bool{}
		for _, r := range whole.Rows {
			tasks[r/4] = true
		}
		for r := int64(1); r <= records && p.limit == 0; r++ {
			if r%10 != 3 && tasks[r/4] != p.sampled(&rollout.Row{TaskID: fmt.Sprint(r / 4)}) {
				t.Fatalf("task %d is not picked as a whole", r/4)
			}
		}
	})
}

func TestPickStopsBehindTheLimit(t *testing.T) {
	got := through(t, pick{share: 1, limit: 3}, 100, func(int64) int64 { return 50 })
	want := picked{Rows: []int64{1, 2, 4}, Rejects: []int64{3}, Seen: 4, Kept: 3}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestSampleTakesItsShare(t *testing.T) {
	for _, share := range []float64{0.01, 0.3, 0.999} {
		const tasks = 100_000
		kept := 0
		for seed := range uint64(2) {
			p := pick{share: share, seed: seed}
			for i := range tasks {
				if p.sampled(&rollout.Row{TaskID: fmt.Sprint(i)}) {
					kept++
				}
			}
		}
		if got := float64(kept) / (2 * tasks); got < share-0.005 || got > share+0.005 {
			t.Errorf("share %g: kept %g", share, got)
		}
	}
}

// Rows that tell no task are drawn one by one, by where they stand.
func TestSampleOfRowsWithoutTask(t *testing.T) {
	p := pick{share: 0.5}
	kept := 0
	for i := range int64(1000) {
		if p.sampled(&rollout.Row{Pos: stream.Pos{Record: i}}) {
			kept++
		}
	}
	if kept < 400 || kept > 600 {
		t.Errorf("%d of 1000", kept)
	}
}
