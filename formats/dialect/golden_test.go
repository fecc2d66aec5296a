package dialect_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollmill/rollmill/formats/dialect"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden reads each file of testdata as it is recognised and compares the
// rows, as lines of row v1, with the file beside it.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		file    string
		layout  dialect.Layout
		dialect string
	}{
		{"taubench.json", dialect.Array, "tau-bench"},
		{"intercode.json", dialect.Keyed, "intercode"},
		{"inspect.json", dialect.Whole, "inspect"},
		{"history.traj", dialect.Whole, "swe-agent"},
		{"trajectory.traj", dialect.Whole, "swe-agent"},
		{"mini.traj.json", dialect.Whole, "chat"},
		{"mini2.traj.json", dialect.Whole, "swe-agent"},
		{"humaneval.jsonl", dialect.Lines, "humaneval"},
		{"conversations.jsonl", dialect.Lines, "chat"},
	} {
		t.Run(c.file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", c.file))
			if err != nil {
				t.Fatal(err)
			}
			var got []byte
			rows := rowsOf(t, c.file, data, c.layout, c.dialect)
			for i := range rows {
				got = append(rows[i].AppendJSON(got), '\n')
			}
			compareGolden(t, c.file, got)
		})
	}
}

func compareGolden(t *testing.T, file string, got []byte) {
	t.Helper()
	base, _, _ := strings.Cut(file, ".")
	golden := filepath.Join("testdata", base+".want.jsonl")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error(cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")))
	}
}
