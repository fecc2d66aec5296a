package asks_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/rollmill/rollmill/benchmarks/asks"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/hackscan"
	"github.com/rollmill/rollmill/stream"
)

var rows = flag.Int("rows", 4_000, "rows that are scanned")

// referenceRow is what the reference implementation took a row, of those that were in
// memory already.
func referenceRow(tb testing.TB) (seconds float64) {
	f, err := asks.Named("hack_scan, defaults", 200_000)
	if err != nil {
		tb.Fatal(err)
	}
	return f.Seconds / float64(f.Rows)
}

func write(tb testing.TB, n int) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "asks.jsonl")
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	if err := asks.Write(f, asks.Config{Rows: n, Seed: 2}); err != nil {
		tb.Fatal(err)
	}
	return path
}

func scan(tb testing.TB, path string) *hackscan.Report {
	tb.Helper()
	o := hackscan.Options{Endorsed: []string{"lookup_order"}}
	r, err := hackscan.Scan(context.Background(), func() (stream.Flow[rollout.Row], error) {
		return stream.From(jsonl.Open(path, jsonl.Fields(o.Fields()))), nil
	}, o)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// The tool is found, and the delimiter is not.
func TestScanFindsTheTool(t *testing.T) {
	r := scan(t, write(t, 4_000))
	if r.Regime != hackscan.Train || r.TopFeature.V != "tool_calls" {
		t.Errorf("%s by %v, want train by tool_calls", r.Regime, r.TopFeature)
	}
	for _, f := range r.Features {
		if f.Name == "contains:#" && f.AboveFloor {
			t.Errorf("the delimiter is above the floor: %+v", f)
		}
	}
	if len(r.Terms) != 1 || !r.Terms[0].Exact {
		t.Errorf("terms %+v, want exact ones", r.Terms)
	}
}

// BenchmarkScan reads a file and scans it, with the floor of the reference
// implementation, and tells how many times less CPU that takes.
func BenchmarkScan(b *testing.B) {
	path := write(b, *rows)
	measure(b, func() { scan(b, path) })
}

// BenchmarkScanInMemory scans rows that were read before, as those were that the
// reference implementation was timed on.
func BenchmarkScanInMemory(b *testing.B) {
	o := hackscan.Options{Endorsed: []string{"lookup_order"}}
	read, _, err := stream.Collect(context.Background(), stream.From(jsonl.Open(write(b, *rows), jsonl.Fields(o.Fields()))))
	if err != nil {
		b.Fatal(err)
	}
	measure(b, func() {
		if _, err := hackscan.Scan(context.Background(), func() (stream.Flow[rollout.Row], error) { return stream.FromSlice(read), nil }, o); err != nil {
			b.Fatal(err)
		}
	})
}

func measure(b *testing.B, scan func()) {
	runtime.GC()
	start := cpu()
	for b.Loop() {
		scan()
	}
	each := (cpu() - start).Seconds() / float64(b.N) / float64(*rows)
	b.ReportMetric(each*1e6, "cpu-µs/row")
	b.ReportMetric(referenceRow(b)/each, "times-the-reference")
}

// cpu is what the process has used of all cores.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
