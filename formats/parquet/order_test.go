package parquet_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/formats/rollout"

	parquetgo "github.com/parquet-go/parquet-go"
)

// sortedBy returns the columns by which each row group of a file says that it is
// sorted.
func sortedBy(t *testing.T, path string) (groups []string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquetgo.OpenFile(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range file.RowGroups() {
		text := ""
		for _, c := range g.SortingColumns() {
			if c.Descending() {
				t.Errorf("%v is descending", c.Path())
			}
			text += fmt.Sprint(c.Path())
		}
		groups = append(groups, text)
	}
	return groups
}

func TestSortingColumnsWhereTheyHold(t *testing.T) {
	for _, c := range []struct {
		name    string
		records []string
		want    string
	}{
		{"by task and index", []string{`{"scenario_id":"a","rollout_index":1}`, `{"scenario_id":"a","rollout_index":1}`, `{"scenario_id":"b","rollout_index":0}`}, "[scenario_id][rollout_index]"},
		{"by task", []string{`{"scenario_id":"a","rollout_index":1}`, `{"scenario_id":"a","rollout_index":0}`}, "[scenario_id]"},
		{"an index is missing", []string{`{"scenario_id":"a"}`, `{"scenario_id":"b","rollout_index":0}`}, "[scenario_id]"},
		{"an index is a text", []string{`{"scenario_id":"a","rollout_index":0}`, `{"scenario_id":"b","rollout_index":"x"}`}, "[scenario_id]"},
		{"by bytes, not as numbers", []string{`{"scenario_id":9}`, `{"scenario_id":10}`}, ""},
		{"descending", []string{`{"scenario_id":"b"}`, `{"scenario_id":"a"}`}, ""},
		{"a task is missing", []string{`{"scenario_id":"a"}`, `{"prompt":"p"}`, `{"scenario_id":"b"}`}, ""},
	} {
		path := filepath.Join(t.TempDir(), "x.parquet")
		rows := decode(t, c.records...)
		write(t, path, rows, 2)
		if got := sortedBy(t, path); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: sorted by %q, want %q", c.name, got, c.want)
		}
		back := read(t, path).rows
		for i := range rows {
			if !back[i].Equal(&rows[i]) {
				t.Errorf("%s: row %d came back as %s", c.name, i, back[i].Canonical())
			}
		}
	}
}

// Each row group speaks for itself.
func TestSortingColumnsOfEachGroup(t *testing.T) {
	rows := make([]rollout.Row, 40_000)
	for i := range rows {
		rows[i].TaskID = fmt.Sprintf("t%06d", i)
		rows[i].Touch(rollout.FieldTaskID)
	}
	rows[20_000].TaskID = "t" // in the second group
	path := filepath.Join(t.TempDir(), "x.parquet")
	write(t, path, rows, 1000, parquet.WriteWorkers(3))
	if got := sortedBy(t, path); !slices.Equal(got, []string{"[scenario_id]", "", "[scenario_id]"}) {
		t.Errorf("sorted by %q", got)
	}
}
