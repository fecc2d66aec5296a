package behaviour_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
)

// benchRows are rows of our own making: chats without a tool, and rollouts of
// four steps whose arguments come from the prompt and from earlier results.
func benchRows(b *testing.B, steps bool) (rows []rollout.Row, bytes int) {
	reply := strings.Repeat("The order was found and the refund is on its way to the card that it was paid with. ", 14)
	d := rollout.NewDecoder(behaviour.Fields)
	rows = make([]rollout.Row, 64)
	for i := range rows {
		said := fmt.Sprintf("%d %s", i, reply)
		record := fmt.Sprintf(`{"prompt":"Please refund order ORD-%d for me","final_text":%q,`, i, said)
		if steps {
			record += `"steps":[`
			for n := range 4 {
				record += fmt.Sprintf(`{"text":"Let me look.","tool":"lookup_order","arguments":{"id":"ORD-%d","page":%d,"account":"A-%d"},"result":{"status":"ok","account":"A-%d","lines":[{"sku":"x\u00e9","price":12.50,"open":true}],"note":null}},`, i, n, n, n+1)
			}
			record = record[:len(record)-1] + `]}`
		} else {
			record += fmt.Sprintf(`"messages":[{"role":"user","content":"Please refund order ORD-%d for me"},{"role":"assistant","content":%q}]}`, i, said)
		}
		if err := d.Decode([]byte(record), &rows[i]); err != nil {
			b.Fatal(err)
		}
		bytes += len(record)
	}
	return rows, bytes
}

func BenchmarkReader(b *testing.B) {
	var buf []byte
	for _, of := range []struct {
		name string
		do   func(r *behaviour.Reader)
	}{
		{"counts", func(r *behaviour.Reader) { r.ToolCalls(); r.ReplyLength(); r.AssistantTurns() }},
		{"signature", func(r *behaviour.Reader) { r.Signature() }},
		{"fault", func(r *behaviour.Reader) { r.FaultName() }},
		{"truncated", func(r *behaviour.Reader) { r.Truncated() }},
		{"scantext", func(r *behaviour.Reader) { buf = r.AppendScanText(buf[:0]) }},
		{"acts", func(r *behaviour.Reader) { r.Acts() }},
		{"all", func(r *behaviour.Reader) {
			r.ToolCalls()
			r.ReplyLength()
			r.AssistantTurns()
			r.Truncated()
			r.Signature()
			r.FaultName()
			r.Acts()
			buf = r.AppendScanText(buf[:0])
		}},
	} {
		for _, kind := range []string{"chat", "steps"} {
			b.Run(of.name+"/"+kind, func(b *testing.B) {
				rows, bytes := benchRows(b, kind == "steps")
				var r behaviour.Reader
				b.SetBytes(int64(bytes))
				b.ReportAllocs()
				for b.Loop() {
					for i := range rows {
						r.Read(&rows[i])
						of.do(&r)
					}
				}
				b.ReportMetric(float64(b.N*len(rows))/b.Elapsed().Seconds(), "rows/s")
			})
		}
	}
}
