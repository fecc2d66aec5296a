package measure_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
	"github.com/rollmill/rollmill/stream"
)

// benchTasks and benchRollouts are what the figures are told of: 8,000,000 rows.
const (
	benchTasks    = 1_000_000
	benchRollouts = 8
)

// rowMaker makes rows in memory: what decoding them costs is no part of this.
type rowMaker struct {
	ids   []string
	index [benchRollouts]rollout.Value
}

func newRowMaker(tasks int) *rowMaker {
	m := &rowMaker{ids: make([]string, tasks)}
	for i := range m.ids {
		m.ids[i] = fmt.Sprintf("task-%07d", i)
	}
	for i := range m.index {
		m.index[i] = rollout.Integer(int64(i))
	}
	return m
}

func (m *rowMaker) rows() int { return len(m.ids) * benchRollouts }

// fill makes the rows from a number on; every task has a pass rate of its own.
func (m *rowMaker) fill(rows []rollout.Row, from int) {
	for i := range rows {
		n := from + i
		x := uint64(n)*0x9e3779b97f4a7c15 ^ uint64(n/benchRollouts)<<32
		x ^= x >> 29
		x *= 0xbf58476d1ce4e5b9
		reward := rollout.Value{Text: "0"}
		if x>>56 < uint64(n/benchRollouts)%256 {
			reward = rollout.Value{Num: 1, Text: "1"}
		}
		rows[i] = rollout.Row{
			Pos: rollout.Pos{Record: int64(n + 1)}, TaskID: m.ids[n/benchRollouts], Index: m.index[n%benchRollouts], Reward: reward,
		}
	}
}

// source is the rows as a flow.
func (m *rowMaker) source() stream.Source[rollout.Row] {
	return stream.SourceFunc[rollout.Row](func(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
		for from := 0; from < m.rows(); from += stream.DefaultItems {
			rows := make([]rollout.Row, min(stream.DefaultItems, m.rows()-from))
			m.fill(rows, from)
			if err := stream.Send(ctx, out, stream.Batch[rollout.Row]{Items: rows}); err != nil {
				return err
			}
		}
		return nil
	})
}

// BenchmarkPass is one pass over 8,000,000 rows of 1,000,000 tasks, and then
// pass@1, pass@8 and pass^8 with their intervals. The whole is compared for both
// ways to resample.
func BenchmarkPass(b *testing.B) {
	m := newRowMaker(benchTasks)
	for _, method := range []stats.Method{stats.Multinomial, stats.Parity} {
		b.Run(string(method), func(b *testing.B) {
			if testing.Short() && method == stats.Parity {
				b.Skip("a million tasks, draw by draw, take minutes")
			}
			for b.Loop() {
				before := heap()
				a := measure.New(measure.Options{})
				if _, err := stream.Run(context.Background(), stream.To(stream.From(m.source()), measure.Sink(a, runtime.GOMAXPROCS(0)))); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				held := heap() - before
				b.StartTimer()
				var o measure.PassOptions
				o.Bootstrap.Method = method
				if _, err := a.Result().PassAt(o, benchRollouts); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(held)/benchTasks, "held-B/task")
			}
			perSecond(b, m.rows())
		})
	}
}

// BenchmarkAdd is the counting alone, on one core.
func BenchmarkAdd(b *testing.B) {
	m := newRowMaker(benchTasks / 10)
	for _, c := range []struct {
		name string
		o    measure.Options
	}{
		{"verdicts", measure.Options{}},
		{"for a comparison", measure.ForComparison()},
	} {
		b.Run(c.name, func(b *testing.B) {
			rows := make([]rollout.Row, 1000)
			b.ReportAllocs()
			for b.Loop() {
				a := measure.New(c.o)
				for from := 0; from < m.rows(); from += len(rows) {
					m.fill(rows, from)
					a.Add(rows)
				}
			}
			perSecond(b, m.rows())
		})
	}
}

// BenchmarkResult is what comes after the rows: sorting, figures, intervals.
func BenchmarkResult(b *testing.B) {
	m := newRowMaker(benchTasks / 10)
	a := measure.New(measure.Options{Keys: true})
	rows := make([]rollout.Row, 1000)
	for from := 0; from < m.rows(); from += len(rows) {
		m.fill(rows, from)
		a.Add(rows)
	}
	for _, method := range []stats.Method{stats.Multinomial, stats.Parity} {
		b.Run(string(method), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var o measure.PassOptions
				o.Bootstrap.Method = method
				if _, err := a.Result().PassAt(o, benchRollouts); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(m.ids)), "ns/task")
		})
	}
}

func perSecond(b *testing.B, rows int) {
	b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
