package selection

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rollmill/rollmill/formats/rollout"
)

// BenchmarkAdd reads rows of the reference's generator into sketches.
func BenchmarkAdd(b *testing.B) {
	records := newCorpus(2).rollouts(2000)
	rows, size := rowsOf(b, records), 0
	for _, r := range records {
		size += len(r)
	}
	for _, mode := range []Mode{RL, SFT, Pairs} {
		b.Run(string(mode), func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				a, err := New(Options{Mode: mode})
				if err != nil {
					b.Fatal(err)
				}
				a.Add(rows)
			}
			b.ReportMetric(float64(b.N*len(rows))/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// BenchmarkPlan selects from sketches of many rows: 8 rollouts a task.
func BenchmarkPlan(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		for _, mode := range []Mode{RL, SFT, Pairs} {
			b.Run(fmt.Sprintf("%s/%d", mode, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					a := sketched(b, Options{Mode: mode}, n)
					b.StartTimer()
					if _, err := a.Plan(context.Background()); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "rows/s")
			})
		}
	}
}

// sketched is an accumulator of n small rows, 8 of a task, in batches.
func sketched(t testing.TB, o Options, n int) *Accumulator {
	a, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	batch := make([]rollout.Row, 0, 1024)
	for i := range n {
		batch = append(batch, smallRow(i))
		if len(batch) == cap(batch) || i == n-1 {
			part := a.Fresh()
			part.Add(batch)
			a.Merge(part)
			batch = batch[:0]
		}
	}
	return a
}

func smallRow(i int) rollout.Row {
	task := i / 8
	reward := float64((task*2654435761>>3 + i*i*7919>>2) % 2)
	return rollout.Row{
		Pos:       rollout.Pos{Record: int64(i) + 1},
		TaskID:    fmt.Sprintf("task-%07d", task),
		Prompt:    fmt.Sprintf("What is the total of order %d?", task),
		FinalText: fmt.Sprintf("The total of try %d comes to %d dollars.", i%8, i*31%977),
		Reward:    rollout.Number(reward),
	}
}

// BenchmarkReference selects from 200,000 rows of the reference's generator, on
// which the reference implementation takes 138 s of CPU in mode RL and 38 s in
// mode SFT (spec of gates, appendix A). It tells the CPU seconds of its own.
func BenchmarkReference(b *testing.B) {
	const rows, batch = 200_000, 10_000
	for _, mode := range []Mode{RL, SFT} {
		b.Run(string(mode), func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			for b.Loop() {
				a, err := New(Options{Mode: mode, Target: 1000})
				if err != nil {
					b.Fatal(err)
				}
				c, spent := newCorpus(2), time.Duration(0)
				for range rows / batch {
					list := rowsOf(b, c.rollouts(batch))
					for i := range list {
						list[i].Pos.Record += int64(a.Rows())
					}
					before := cpu(b)
					part := a.Fresh()
					part.Add(list)
					a.Merge(part)
					spent += cpu(b) - before
				}
				before := cpu(b)
				p, err := a.Plan(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				spent += cpu(b) - before
				b.ReportMetric(spent.Seconds(), "cpu-s")
				b.ReportMetric(float64(p.Kept()), "kept")
			}
		})
	}
}

// cpu is the processor time of this thread so far, without that of collecting
// what the generator leaves behind.
func cpu(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
