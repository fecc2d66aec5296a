package arrowipc_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// write makes a file for a test.
func write(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// rowsOf decodes records of row v1.
func rowsOf(t testing.TB, records ...string) []rollout.Row {
	t.Helper()
	d := rollout.NewDecoder(rollout.AllFields)
	rows := make([]rollout.Row, len(records))
	for i, r := range records {
		rows[i].Pos.Record = int64(i) + 1
		if err := d.Decode([]byte(r), &rows[i]); err != nil {
			t.Fatalf("%s: %v", r, err)
		}
	}
	return rows
}

// save writes rows to a file and returns its bytes.
func save(t testing.TB, path string, rows []rollout.Row, opts ...arrowipc.WriteOption) ([]byte, arrowipc.Summary) {
	t.Helper()
	w := arrowipc.Create(path, opts...)
	if _, err := stream.Run(context.Background(), stream.To(stream.FromSlice(rows), w)); err != nil {
		t.Fatal(err)
	}
	if w.Summary().Parts[0].Path != path {
		return nil, w.Summary()
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data, w.Summary()
}

// all is what reading gives.
type all struct {
	rows    []rollout.Row
	rejects []stream.Reject
	marks   []stream.Mark
	reader  *arrowipc.Reader
}

func readAll(t testing.TB, paths []string, opts ...arrowipc.Option) all {
	t.Helper()
	a, err := tryReadAll(paths, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func tryReadAll(paths []string, opts ...arrowipc.Option) (a all, err error) {
	a.reader = arrowipc.OpenAll(paths, opts...)
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

// sameRows fails when the rows do not say the same.
func sameRows(t testing.TB, got, want []rollout.Row) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i := range got {
		if !got[i].Equal(&want[i]) {
			t.Fatalf("row %d: got  %s\nwant %s", i, got[i].Canonical(), want[i].Canonical())
		}
	}
}
