package rollout_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
)

// benchRecords makes records of about 3 KB, one in five with text beyond ASCII.
func benchRecords() (records [][]byte, bytes int64) {
	words := strings.Fields("the order was shipped on Monday and the refund of 42.50 is due when the customer returns what he bought")
	foreign := strings.Fields("café naïve 日本語 данные façade")
	text := func(n, seed int, odd bool) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			w := words[(i*7+seed)%len(words)]
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
	for i := range 256 {
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
		records = append(records, []byte(record))
		bytes += int64(len(record))
	}
	return records, bytes
}

func BenchmarkDecode(b *testing.B) {
	records, bytes := benchRecords()
	for _, c := range []struct {
		name string
		want rollout.Fields
	}{
		{"all", rollout.AllFields},
		{"four", rollout.FieldPrompt | rollout.FieldFinalText | rollout.FieldReward | rollout.FieldTaskID},
		{"none", 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			d := rollout.NewDecoder(c.want)
			rows := make([]rollout.Row, len(records))
			b.SetBytes(bytes)
			b.ReportAllocs()
			for b.Loop() {
				for i, r := range records {
					if err := d.Decode(r, &rows[i]); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.N)*float64(len(records))/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

func BenchmarkAppend(b *testing.B) {
	records, bytes := benchRecords()
	rows := make([]rollout.Row, len(records))
	d := rollout.NewDecoder(rollout.AllFields)
	for i, r := range records {
		if err := d.Decode(r, &rows[i]); err != nil {
			b.Fatal(err)
		}
	}
	spliced := make([]rollout.Row, len(rows))
	replaced := make([]rollout.Row, len(rows))
	for i := range rows {
		spliced[i], replaced[i] = rows[i], rows[i]
		spliced[i].Judge = "j"
		spliced[i].Touch(rollout.FieldJudge)
		replaced[i].SetReward(rollout.Number(1), rollout.StatusOK)
	}
	for _, c := range []struct {
		name   string
		rows   []rollout.Row
		append func(*rollout.Row, []byte) []byte
	}{
		{"untouched", rows, (*rollout.Row).AppendLine},
		{"one field more", spliced, (*rollout.Row).AppendLine},
		{"one field replaced", replaced, (*rollout.Row).AppendLine},
		{"as v1", rows, (*rollout.Row).AppendJSON},
	} {
		b.Run(c.name, func(b *testing.B) {
			var buf []byte
			b.SetBytes(bytes)
			b.ReportAllocs()
			for b.Loop() {
				buf = buf[:0]
				for i := range c.rows {
					buf = c.append(&c.rows[i], buf)
				}
			}
			b.ReportMetric(float64(b.N)*float64(len(c.rows))/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
