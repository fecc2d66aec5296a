package parquet

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// groupsFile has groups of the most rows, and their number.
func groupsFile(t *testing.T, groups int) (path string, rows int64) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "rows.parquet")
	list := make([]rollout.Row, (groups-1)*groupRows+7)
	for i := range list {
		list[i].ID = strconv.Itoa(i)
		list[i].Hold(rollout.FieldID)
		list[i].Pos = rollout.Pos{Record: int64(i + 1)}
	}
	if _, err := stream.Run(t.Context(), stream.To(stream.FromSlice(list), Create(path))); err != nil {
		t.Fatal(err)
	}
	return path, int64(len(list))
}

// A flow holds no more row groups than its budget has room for: those that were sent and
// whose last batch has not left.
func TestHeldGroups(t *testing.T) {
	path, rows := groupsFile(t, 9)
	size := groupSize(t, path)
	most := func(held int64, workers int) (groups int64) {
		r := Open(path, Workers(workers), BatchRows(100))
		r.opts.held = held
		read := int64(0)
		batches, ended := stream.Chan(t.Context(), r.Flow())
		for b := range batches {
			if id := b.Items[0].ID; id != strconv.FormatInt(read, 10) {
				t.Fatalf("row %s comes behind %d rows", id, read)
			}
			if read%groupRows < groupRows/2 { // the last batch of this group has not been made
				sent := (r.Inputs()[0].Records + groupRows - 1) / groupRows
				groups = max(groups, sent-read/groupRows)
			}
			read += int64(len(b.Items))
		}
		if err := ended(); err != nil || read != rows {
			t.Errorf("%d rows of %d, %v", read, rows, err)
		}
		return groups
	}
	for _, c := range []struct{ held, want int64 }{{1, 1}, {size - 1, 1}, {size, 1}, {2*size + size/2, 2}, {5 * size, 5}} {
		for _, workers := range []int{1, 4} {
			if got := most(c.held, workers); got > c.want {
				t.Errorf("room for %d bytes of groups of %d, %d workers: %d are held, want %d", c.held, size, workers, got, c.want)
			}
		}
	}
	if got := most(1<<40, 4); got < 3 {
		t.Errorf("with room for all, %d groups are held", got)
	}
}

// A flow that waits for room ends with its context.
func TestHeldGroupsCancelled(t *testing.T) {
	path, _ := groupsFile(t, 6)
	r := Open(path, Workers(2), BatchRows(100))
	r.opts.held = 1
	ctx, cancel := context.WithCancel(t.Context())
	batches, ended := stream.Chan(ctx, r.Flow())
	<-batches
	cancel()
	for range batches { // what was on its way
	}
	if err := ended(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// groupSize is what the first group of a file is in memory.
func groupSize(t *testing.T, path string) int64 {
	t.Helper()
	return (&piece{in: opened(t, path)}).size(rollout.AllFields, 1<<40)
}

func opened(t *testing.T, path string) *input {
	t.Helper()
	in, err := openInput(path, &Open(path).bytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.release)
	return in
}

// What a damaged footer says of sizes is refused, or taken for no more than there is
// room for: the budget of a flow has no room for less than nothing.
func TestHeldSizesOfDamagedFooters(t *testing.T) {
	path, _ := groupsFile(t, 1)
	in := opened(t, path)
	end := in.file.Metadata().RowGroups[0].Columns[0].ColumnIndexOffset
	m := in.file.Metadata()
	for _, size := range []int64{math.MinInt64, -1} {
		m.RowGroups[0].Columns[3].MetaData.TotalUncompressedSize = size
		if err := checkPlaces(m, end); !errors.Is(err, ErrDamaged) {
			t.Errorf("a column of %d bytes: %v", size, err)
		}
	}
	for i := range m.RowGroups[0].Columns {
		m.RowGroups[0].Columns[i].MetaData.TotalUncompressedSize = math.MaxInt64
	}
	if size := (&piece{in: in}).size(rollout.AllFields, 100); size != 100*columns {
		t.Errorf("columns of more than there is room for are %d bytes", size)
	}
}
