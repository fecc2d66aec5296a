package parquet_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// benchFile is a file of rollouts for the benchmarks: ROLLMILL_BENCH, or one
// that is made up.
func benchFile(b *testing.B) string {
	if path := os.Getenv("ROLLMILL_BENCH"); path != "" {
		return path
	}
	var text strings.Builder
	for range 20_000 {
		text.WriteString(`{"rollout_id":"76213346fec33afc","scenario_id":"task-1","rollout_index":0,"prompt":"What is the total?","messages":[` +
			`{"role":"user","content":"What is the total? ` + strings.Repeat("Some more words to read. ", 40) + `"},{"role":"assistant","content":"I look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"search","arguments":"{\"q\":1}"}}]},` +
			`{"role":"tool","name":"search","tool_call_id":"c1","content":"{\"n\":12}"},{"role":"assistant","content":"12"}],"final_text":"12","reward":0.5,"markers":{"polite":0.25},"seed":17}` + "\n")
	}
	path := filepath.Join(b.TempDir(), "rows.jsonl")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		b.Fatal(err)
	}
	return path
}

// benchRows reads the rows and tells how many bytes of JSONL they are.
func benchRows(b *testing.B) (batches []stream.Batch[rollout.Row], rows int, bytes int64) {
	_, err := stream.Run(context.Background(), stream.To(stream.From(jsonl.Open(benchFile(b))), stream.SinkFunc[rollout.Row](
		func(ctx context.Context, in <-chan stream.Batch[rollout.Row]) error {
			for batch, err := range stream.Receive(ctx, in) {
				if err != nil {
					return err
				}
				for i := range batch.Items {
					bytes += int64(len(batch.Items[i].Source()))
				}
				rows += len(batch.Items)
				batch.Mark = nil
				batches = append(batches, batch)
			}
			return nil
		})))
	if err != nil {
		b.Fatal(err)
	}
	return batches, rows, bytes
}

func BenchmarkWrite(b *testing.B) {
	batches, rows, bytes := benchRows(b)
	for _, c := range []struct {
		name  string
		codec parquet.Codec
	}{{"zstd", parquet.Zstd}, {"snappy", parquet.Snappy}, {"none", parquet.None}} {
		b.Run(c.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "out.parquet")
			b.SetBytes(bytes)
			for range b.N {
				w := parquet.Create(path, parquet.Compression(c.codec), parquet.Replace(), parquet.WriteWorkers(1))
				source := stream.SourceFunc[rollout.Row](func(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
					for _, batch := range batches {
						if err := stream.Send(ctx, out, batch); err != nil {
							return err
						}
					}
					return nil
				})
				if _, err := stream.Run(context.Background(), stream.To(stream.From(source), w)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			info, err := os.Stat(path)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(info.Size())/float64(rows), "bytes/row")
		})
	}
}

func BenchmarkRead(b *testing.B) {
	batches, rows, bytes := benchRows(b)
	path := filepath.Join(b.TempDir(), "in.parquet")
	source := stream.SourceFunc[rollout.Row](func(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
		for _, batch := range batches {
			if err := stream.Send(ctx, out, batch); err != nil {
				return err
			}
		}
		return nil
	})
	if _, err := stream.Run(context.Background(), stream.To(stream.From(source), parquet.Create(path))); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		fields rollout.Fields
	}{{"all", rollout.AllFields}, {"two", rollout.FieldTaskID | rollout.FieldReward}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(bytes)
			for range b.N {
				a, err := tryCount(path, parquet.Fields(c.fields), parquet.Workers(1))
				if err != nil || a != rows {
					b.Fatal(a, err)
				}
			}
			b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// BenchmarkProjection reads all of a file and two fields of it in turns, and
// tells how many times as fast the two are. ROLLMILL_BENCH_PARQUET names a file
// to do it with, instead of rows that are made up.
func BenchmarkProjection(b *testing.B) {
	path := os.Getenv("ROLLMILL_BENCH_PARQUET")
	if path == "" {
		path = filepath.Join(b.TempDir(), "in.parquet")
		end := stream.To(stream.From(jsonl.Open(benchFile(b))), parquet.Create(path))
		if _, err := stream.Run(context.Background(), end); err != nil {
			b.Fatal(err)
		}
	}
	var wall, cpu [2]time.Duration
	rows := 0
	for b.Loop() {
		for i, fields := range []rollout.Fields{rollout.AllFields, rollout.FieldTaskID | rollout.FieldReward} {
			runtime.GC() // what the other read left behind is not this one's
			start, used := time.Now(), cpuTime()
			n, err := tryCount(path, parquet.Fields(fields))
			if err != nil {
				b.Fatal(err)
			}
			wall[i] += time.Since(start)
			cpu[i] += cpuTime() - used
			rows += n
		}
	}
	b.ReportMetric(0, "ns/op")
	for i, name := range []string{"all", "two"} {
		b.ReportMetric(float64(rows)/2/wall[i].Seconds(), name+"-rows/s")
		b.ReportMetric(float64(cpu[i].Nanoseconds())/float64(rows)*2, name+"-cpu-ns/row")
	}
	b.ReportMetric(float64(wall[0])/float64(wall[1]), "times-wall")
	b.ReportMetric(float64(cpu[0])/float64(max(cpu[1], 1)), "times-cpu")
}

// tryCount reads a file and counts its rows.
func tryCount(path string, opts ...parquet.Option) (rows int, err error) {
	_, err = stream.Run(context.Background(), stream.To(stream.From(parquet.Open(path, opts...)), stream.SinkFunc[rollout.Row](
		func(ctx context.Context, in <-chan stream.Batch[rollout.Row]) error {
			for batch, err := range stream.Receive(ctx, in) {
				if err != nil {
					return err
				}
				rows += len(batch.Items)
			}
			return nil
		})))
	return rows, err
}
