package gen_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/rollmill/rollmill/benchmarks/gen"
)

func rows(t *testing.T, n int64, seed uint64) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gen.Write(&b, gen.Config{Rows: n, Seed: seed}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Measurements are compared over months: the rows of a seed stay what they are.
func TestRowsOfASeedStayTheSame(t *testing.T) {
	const want = "8777597af67349b512480a4dce158ee473f310eb8096bfcd7f4aaae651d771f1"
	if got := hash(rows(t, 1000, 1)); got != want {
		t.Errorf("the first 1000 rows of seed 1 hash to %s, want %s", got, want)
	}
	if bytes.Equal(rows(t, 10, 1), rows(t, 10, 2)) {
		t.Error("seeds 1 and 2 give the same rows")
	}
}

func TestRowsDoNotDependOnTheNumberOfCores(t *testing.T) {
	want := gen.New(3).AppendRows(nil, 0, 3000)
	for _, procs := range []int{1, 2, 8} {
		t.Run(fmt.Sprint(procs), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			if !bytes.Equal(rows(t, 3000, 3), want) {
				t.Error("rows differ from those made one after another")
			}
		})
	}
}

func TestSmallerSetIsAPrefix(t *testing.T) {
	all := rows(t, 2000, 7)
	for _, n := range []int64{0, 1, 7, 8, 9, 511, 512, 513, 1999} {
		some := rows(t, n, 7)
		if !bytes.HasPrefix(all, some) || bytes.Count(some, []byte("\n")) != int(n) {
			t.Errorf("%d rows are not the first of 2000", n)
		}
	}
	if part := gen.New(7).AppendRows(nil, 1001, 2000); !bytes.HasSuffix(all, part) {
		t.Error("rows from 1001 on, made alone, are not the last of 2000")
	}
}

func TestRowsAreOfTheStatedSize(t *testing.T) {
	mean := float64(len(rows(t, 4000, 1))) / 4000
	if mean < 2500 || mean > 3500 {
		t.Errorf("a row has %.0f bytes on average, want about 3000", mean)
	}
}

func TestWriteStopsAtTheFirstError(t *testing.T) {
	full := errors.New("disk full")
	w := &failingWriter{after: 2, err: full}
	if err := gen.Write(w, gen.Config{Rows: 1 << 40, Seed: 1}); !errors.Is(err, full) {
		t.Errorf("got error %v, want %v", err, full)
	}
	if w.calls != 3 {
		t.Errorf("wrote %d times, want 3: two that succeed and the one that fails", w.calls)
	}
}

type failingWriter struct {
	after, calls int
	err          error
}

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.calls++; w.calls > w.after {
		return 0, w.err
	}
	return len(p), nil
}

func ExampleGenerator_Truth() {
	g := gen.New(1)
	for i := range int64(100) {
		if t, special := g.Truth(i); special && t.DupOf != "" {
			fmt.Println("line", t.Line, "repeats", t.DupOf)
		}
	}
	// Output:
	// line 71 repeats db832640882aeff1
	// line 90 repeats e592d64f17709552
}

func BenchmarkWrite(b *testing.B) {
	const n = 8192
	var size counter
	for b.Loop() {
		size = 0
		if err := gen.Write(&size, gen.Config{Rows: n, Seed: 1}); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(size))
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
