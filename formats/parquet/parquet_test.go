package parquet_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// failer is what tests and properties have in common.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func decode(t failer, records ...string) []rollout.Row {
	t.Helper()
	d := rollout.NewDecoder(rollout.AllFields)
	rows := make([]rollout.Row, len(records))
	for i, record := range records {
		rows[i].Pos = rollout.Pos{Record: int64(i) + 1}
		if err := d.Decode([]byte(record), &rows[i]); err != nil {
			t.Fatalf("%s: %v", record, err)
		}
	}
	return rows
}

// source sends rows in batches of some size.
func source(rows []rollout.Row, size int) stream.Source[rollout.Row] {
	return stream.SourceFunc[rollout.Row](func(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
		for len(rows) > 0 {
			n := min(size, len(rows))
			if err := stream.Send(ctx, out, stream.Batch[rollout.Row]{Items: append([]rollout.Row(nil), rows[:n]...)}); err != nil {
				return err
			}
			rows = rows[n:]
		}
		return nil
	})
}

func write(t failer, path string, rows []rollout.Row, size int, opts ...parquet.WriteOption) parquet.Summary {
	t.Helper()
	w := parquet.Create(path, append(opts, parquet.Replace())...)
	if _, err := stream.Run(context.Background(), stream.To(stream.From(source(rows, size)), w)); err != nil {
		t.Fatal(err)
	}
	return w.Summary()
}

// all is what reading gives.
type all struct {
	rows    []rollout.Row
	rejects []stream.Reject
	marks   []stream.Mark
	reader  *parquet.Reader
}

func tryRead(paths []string, opts ...parquet.Option) (a all, err error) {
	a.reader = parquet.OpenAll(paths, opts...)
	_, err = stream.Run(context.Background(), stream.To(stream.From(a.reader), stream.SinkFunc[rollout.Row](
		func(ctx context.Context, in <-chan stream.Batch[rollout.Row]) error {
			for b, err := range stream.Receive(ctx, in) {
				if err != nil {
					return err
				}
				a.rows = append(a.rows, b.Items...)
				a.rejects = append(a.rejects, b.Rejects...)
				a.marks = append(a.marks, b.Mark)
			}
			return nil
		})))
	return a, err
}

func read(t failer, path string, opts ...parquet.Option) all {
	t.Helper()
	a, err := tryRead([]string{path}, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// throughFile writes rows and reads them again.
func throughFile(t failer, dir string, rows []rollout.Row, opts ...parquet.WriteOption) []rollout.Row {
	t.Helper()
	path := filepath.Join(dir, "rows.parquet")
	write(t, path, rows, 100, opts...)
	back := read(t, path).rows
	if len(back) != len(rows) {
		t.Fatalf("%d rows, want %d", len(back), len(rows))
	}
	for i := range rows {
		if !back[i].Equal(&rows[i]) {
			t.Fatalf("row %d came back as\n%s\nwant\n%s", i, back[i].Canonical(), rows[i].Canonical())
		}
	}
	return back
}

// same reports whether two values are the same JSON.
func same(a, b rollout.Value) bool {
	return a.Text == b.Text || a.Num == b.Num && a.Text != "" && b.Text != "" &&
		bytes.Equal(rollout.AppendCanonical(nil, []byte(a.Text)), rollout.AppendCanonical(nil, []byte(b.Text)))
}

// memory is a folder whose files cost no time to store, where there is one.
func memory(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "parquet")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestPropertyRoundTrip(t *testing.T) {
	dir := memory(t)
	rapid.Check(t, func(t *rapid.T) {
		rows := decode(t, rapid.SliceOfN(record(), 1, 5).Draw(t, "records")...)
		codec := rapid.SampledFrom([]parquet.Codec{parquet.Zstd, parquet.Snappy, parquet.None}).Draw(t, "codec")
		back := throughFile(t, dir, rows, parquet.Compression(codec))
		for i := range rows {
			if back[i].TaskID != rows[i].TaskID || back[i].Prompt != rows[i].Prompt || back[i].Reason != rows[i].Reason || !same(back[i].Reward, rows[i].Reward) {
				t.Fatalf("%s: %q %q %q %v", rows[i].Source(), back[i].TaskID, back[i].Prompt, back[i].Reason, back[i].Reward)
			}
		}
	})
}

// Every selection of fields has the same values as reading all has.
func TestPropertyProjection(t *testing.T) {
	dir := memory(t)
	rapid.Check(t, func(t *rapid.T) {
		rows := decode(t, rapid.SliceOfN(record(), 1, 5).Draw(t, "records")...)
		path := filepath.Join(dir, "rows.parquet")
		write(t, path, rows, 100)
		for _, r := range read(t, path, parquet.Fields(rollout.FieldReward|rollout.FieldTaskID|rollout.FieldMarkers)).rows {
			want := &rows[r.Pos.Record-1]
			if !same(r.Reward, want.Reward) || r.TaskID != want.TaskID || !slices.EqualFunc(r.Markers, want.Markers, func(a, b rollout.Marker) bool {
				return a.Name == b.Name && same(a.Value, b.Value)
			}) {
				t.Fatalf("%s: %v %q %v, want %v %q %v", want.Source(), r.Reward, r.TaskID, r.Markers, want.Reward, want.TaskID, want.Markers)
			}
		}
	})
}

// many makes rows enough for several row groups.
func many(t failer, n int) []rollout.Row {
	records := make([]string, n)
	for i := range records {
		records[i] = fmt.Sprintf(`{"rollout_id":"r%d","scenario_id":"t%d","reward":%d,"messages":[{"role":"user","content":"q%d"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}},{"function":{"name":"g","arguments":""}}]}],"markers":{"a":0.5},"x%d":%d}`,
			i, i/8, i%2, i, i%3, i)
	}
	return decode(t, records...)
}

func TestSameBytesForAllWorkersAndBatches(t *testing.T) {
	rows := many(t, 17_000)
	var want []byte
	for _, workers := range []int{1, 2, 8} {
		for _, size := range []int{64, 1024, 10_000} {
			path := filepath.Join(memory(t), "out.parquet")
			s := write(t, path, rows, size, parquet.WriteWorkers(workers))
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("%d workers and batches of %d rows make another file", workers, size)
			}
			if s.Rows != 17_000 || len(s.Parts) != 1 || s.Parts[0].Bytes != int64(len(got)) {
				t.Errorf("summary %+v", s)
			}
			back := read(t, path, parquet.Workers(workers), parquet.BatchRows(size))
			for i := range back.rows {
				if i%100 == 0 && !back.rows[i].Equal(&rows[i]) || back.rows[i].Pos != rows[i].Pos {
					t.Fatalf("row %d at %v came back as %s", i, back.rows[i].Pos, back.rows[i].Canonical())
				}
			}
			if got, want := len(back.rows), len(rows); got != want {
				t.Fatalf("%d rows, want %d", got, want)
			}
			if in := back.reader.Inputs(); in[0].Groups != 2 || in[0].Foreign || in[0].Records != 17_000 || back.reader.BytesRead() == 0 {
				t.Errorf("%+v", in)
			}
			last := int64(0)
			for _, m := range back.marks {
				if len(m) != 1 || m[0].Record-last > int64(size) || m[0].Record <= last {
					t.Fatalf("mark %v behind record %d", m, last)
				}
				last = m[0].Record
			}
			if m := back.marks[len(back.marks)-1]; m[0].Record != 17_000 || !m[0].Done {
				t.Errorf("last mark %v", m)
			}
		}
	}
}
