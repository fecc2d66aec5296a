package arrowipc_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// benchRows makes rows of about 3 KB as JSON, one in five with text beyond
// ASCII. bytes is what they are as JSON, which all benchmarks count.
func benchRows(b *testing.B, n int) (rows []rollout.Row, bytes int64) {
	words := strings.Fields("the order was shipped on Monday and the refund of 42.50 is due when the customer returns what he bought")
	foreign := strings.Fields("café naïve 日本語 данные façade")
	text := func(n, seed int, odd bool) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			w := words[(i*7+seed*31+i*i*seed)%len(words)]
			if odd && i%6 == 0 {
				w = foreign[(i+seed)%len(foreign)]
			}
			b.WriteString(w)
			if i%12 == 11 {
				b.WriteString(`.\n`)
			} else {
				b.WriteByte(' ')
			}
		}
		return b.String()
	}
	var records []string
	for i := range n {
		odd := i%5 == 0
		final := text(450, i, odd) + fmt.Sprintf(`The answer is \"%d\".`, i)
		record := fmt.Sprintf(`{"schema_version":"1","rollout_id":"%016x","scenario_id":"task-%d","rollout_index":%d,"prompt":"%s","messages":[`+
			`{"role":"system","content":"%s"},{"role":"user","content":"%s"},`+
			`{"role":"assistant","content":"%s","tool_calls":[{"id":"call_%d","type":"function","function":{"name":"lookup","arguments":"{\"order\":\"A-%d\",\"limit\":%d}"}}]},`+
			`{"role":"tool","content":"{\"status\":\"ok\",\"items\":[{\"id\":%d,\"total\":%d.5}],\"note\":\"%s\"}","name":"lookup","tool_call_id":"call_%d"},`+
			`{"role":"assistant","content":"%s"}],"final_text":"%s","finish_reason":"stop","logprob":-%d.257812345,"n_tokens":%d,"reward":%d,`+
			`"markers":{"grounded":1,"polite":0.75},"privileged":{"reference":"%d"},"model_version":"model-a","seed":%d}`,
			i, i/8, i%8, text(200, i, odd), text(380, i/8, false), text(200, i, odd), text(60, i, false), i, i, i, i, i,
			text(90, i, false), i, final, final, i, 200+i, i%2, i, i*7919)
		records = append(records, record)
		bytes += int64(len(record))
	}
	return rowsOf(b, records...), bytes
}

// meter counts what a benchmark does beyond what testing.B counts.
type meter struct {
	b     *testing.B
	bytes int64
	rows  int
	cpu   time.Duration
}

func start(b *testing.B, rows int, bytes int64) *meter {
	b.SetBytes(bytes)
	b.ReportAllocs()
	return &meter{b, bytes, rows, cpuTime()}
}

func (m *meter) stop() {
	m.b.ReportMetric(float64(m.b.N)*float64(m.rows)/m.b.Elapsed().Seconds(), "rows/s")
	if cpu := cpuTime() - m.cpu; cpu > 0 {
		m.b.ReportMetric(float64(m.b.N)*float64(m.bytes)/1e6/cpu.Seconds(), "MB/cpu-s")
	}
}

// BenchmarkEncode compares our columns with arrow-go's builders.
func BenchmarkEncode(b *testing.B) {
	rows, bytes := benchRows(b, 4096)
	b.Run("columns", func(b *testing.B) {
		m := start(b, len(rows), bytes)
		for b.Loop() {
			if _, err := arrowipc.Encode(rows); err != nil {
				b.Fatal(err)
			}
		}
		m.stop()
	})
	b.Run("RecordBuilder", func(b *testing.B) {
		m := start(b, len(rows), bytes)
		builder := newRowBuilder()
		for b.Loop() {
			builder.built(rows)
		}
		m.stop()
	})
}

// two are the columns of a projected read.
const two = rollout.FieldTaskID | rollout.FieldReward

func BenchmarkDecode(b *testing.B) {
	rows, bytes := benchRows(b, 4096)
	rec, err := arrowipc.Encode(rows)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		want rollout.Fields
	}{{"all", rollout.AllFields}, {"two columns", two}} {
		b.Run(c.name, func(b *testing.B) {
			m := start(b, len(rows), bytes)
			for b.Loop() {
				if _, _, err := arrowipc.Decode(rec, c.want); err != nil {
					b.Fatal(err)
				}
			}
			m.stop()
		})
	}
}

// BenchmarkFile writes and reads files with one worker, so that the figures are
// those of a core.
func BenchmarkFile(b *testing.B) {
	rows, bytes := benchRows(b, 4*4096)
	for _, c := range []arrowipc.Compression{arrowipc.None, arrowipc.LZ4, arrowipc.Zstd} {
		path := filepath.Join(b.TempDir(), "x.arrow")
		data, _ := save(b, path, rows, arrowipc.Compress(c))
		b.Run("write "+c.String(), func(b *testing.B) {
			m := start(b, len(rows), bytes)
			for b.Loop() {
				w := arrowipc.Create("/dev/null", arrowipc.Compress(c), arrowipc.WriteWorkers(1))
				if _, err := stream.Run(context.Background(), stream.To(stream.FromSlice(rows), w)); err != nil {
					b.Fatal(err)
				}
			}
			m.stop()
			b.ReportMetric(float64(len(data))/float64(len(rows)), "B/row")
		})
		for _, want := range []struct {
			name   string
			fields rollout.Fields
		}{{"all", rollout.AllFields}, {"two columns", two}} {
			b.Run("read "+c.String()+" "+want.name, func(b *testing.B) {
				m := start(b, len(rows), bytes)
				for b.Loop() {
					n := 0
					for _, err := range stream.From(arrowipc.Open(path, arrowipc.Fields(want.fields), arrowipc.Workers(1))).All(context.Background()) {
						if err != nil {
							b.Fatal(err)
						}
						n++
					}
					if n != len(rows) {
						b.Fatal(n)
					}
				}
				m.stop()
			})
		}
	}
}
