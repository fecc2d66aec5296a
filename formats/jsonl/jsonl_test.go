package jsonl_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rollmill/rollmill/formats/jsonl"
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

// all is what reading gives.
type all struct {
	rows    []rollout.Row
	rejects []stream.Reject
	marks   []stream.Mark
	reader  *jsonl.Reader
}

func readAll(t testing.TB, paths []string, opts ...jsonl.Option) all {
	t.Helper()
	a, err := tryReadAll(paths, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func tryReadAll(paths []string, opts ...jsonl.Option) (a all, err error) {
	a.reader = jsonl.OpenAll(paths, opts...)
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

// member returns the JSON of a member that is no field.
func member(r *rollout.Row, name string) string {
	for _, m := range r.Extra {
		if m.Name == name {
			return m.JSON
		}
	}
	return ""
}

// convert reads a file and writes it, and returns what was written.
func convert(t testing.TB, in, out string, read []jsonl.Option, wrote ...jsonl.WriteOption) ([]byte, jsonl.Summary) {
	t.Helper()
	w := jsonl.Create(out, wrote...)
	if _, err := stream.Run(context.Background(), stream.To(stream.From(jsonl.Open(in, read...)), w)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return data, w.Summary()
}
