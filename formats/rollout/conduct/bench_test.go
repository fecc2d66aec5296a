package conduct_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
	"github.com/rollmill/rollmill/formats/rollout/conduct"
)

// BenchmarkScan scans rows of our own making, none of which does wrong: chats
// without a tool, shops with four calls each, and coders that write 4 KiB and
// run commands. Reading the row is part of it.
func BenchmarkScan(b *testing.B) {
	reply := strings.Repeat("The order was found and the refund is on its way to the card that it was paid with. ", 14)
	code := strings.Repeat("    def total(self, lines):\n        return sum(line.price for line in lines)  # in cents\n", 46)
	shop := strings.Repeat(`{"tool":"lookup_order","arguments":{"id":"ORD-7","page":2},"result":{"status":"ok","account":"A-7"}},`, 4)
	coder := fmt.Sprintf(`{"tool":"write_file","arguments":{"path":"src/shop/total.py","content":%q},"result":{"ok":true}},`, code) +
		strings.Repeat(`{"tool":"bash","arguments":{"command":"cd src && python -m pytest -q shop/total.py | tail -n 20"},"result":{"exit_code":0,"stdout":"3 passed"}},`, 4)
	for _, kind := range []struct{ name, steps string }{{"chat", ""}, {"shop", shop}, {"coder", coder}} {
		b.Run(kind.name, func(b *testing.B) {
			record := fmt.Sprintf(`{"prompt":"Please help me","final_text":%q,"steps":[%s]}`, reply, strings.TrimSuffix(kind.steps, ","))
			var row rollout.Row
			if err := rollout.NewDecoder(behaviour.Fields).Decode([]byte(record), &row); err != nil {
				b.Fatal(err)
			}
			var r behaviour.Reader
			var s conduct.Scanner
			b.SetBytes(int64(len(record)))
			b.ReportAllocs()
			for b.Loop() {
				r.Read(&row)
				if f := s.Scan(&r); f.Set() != 0 {
					b.Fatalf("%v", f.Fired())
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

func BenchmarkStyles(b *testing.B) {
	reply := strings.Repeat("The order was found and the refund is on its way to the card that it was paid with. ", 14)
	row := rollout.Row{FinalText: reply, Messages: []rollout.Message{{Role: "assistant", Content: reply}}}
	var r behaviour.Reader
	b.SetBytes(int64(len(reply)))
	b.ReportAllocs()
	for b.Loop() {
		r.Read(&row)
		conduct.Styles(&r)
	}
}
