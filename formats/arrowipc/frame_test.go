package arrowipc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// change is something that a later pass does to a row.
type change uint8

const (
	nothing change = iota
	dropped
	stamped
	rescored
	changes
)

// needsWhole says which changes a row must be there whole for.
func (c change) needsWhole() bool { return c == stamped || c == rescored }

func (c change) apply(r *rollout.Row) {
	switch c {
	case dropped:
		r.EndAt("too_easy")
		r.AddFinding(rollout.Finding{Gate: "select", Code: "too_easy", Detail: "8 of 8"})
	case stamped:
		r.SetExtra("calibration", `{"n":8}`)
	case rescored:
		r.SetExtra("overlong", "true")
		r.SetMarker("finished", rollout.Number(0))
		r.SetReward(rollout.Number(0.125), rollout.StatusOK)
	}
}

const light = rollout.FieldGate | rollout.FieldGates | rollout.FieldReward | rollout.FieldStatus | rollout.FieldMarkers

// spliced writes the rows of files anew, changed, by splicing.
func spliced(t testing.TB, paths []string, out string, of func(row int) change) {
	t.Helper()
	frames := stream.From(arrowipc.OpenFrames(paths...))
	w := arrowipc.CreateFrames(out)
	packets := stream.Through(frames, stream.Map(2, func(_ context.Context, b stream.Batch[*arrowipc.Frame]) (stream.Batch[arrowipc.Packet], error) {
		f := b.Items[0]
		first := int(f.Pos().Record) - 1
		rows, err := f.Decode(light, 0, f.Rows())
		if err != nil {
			return stream.Batch[arrowipc.Packet]{}, err
		}
		for i := range rows {
			c := of(first + i)
			if c.needsWhole() || c != nothing && f.Beside()&light != 0 {
				whole, err := f.Decode(rollout.AllFields, i, i+1)
				if err != nil {
					return stream.Batch[arrowipc.Packet]{}, err
				}
				rows[i] = whole[0]
			}
			c.apply(&rows[i])
		}
		p, err := f.Splice(rows)
		f.Recycle() // other frames take the memory, and what was spliced stays as it is
		return stream.Carry(b, []arrowipc.Packet{p}), err
	}))
	if _, err := stream.Run(context.Background(), stream.To(packets, w)); err != nil {
		t.Fatal(err)
	}
}

// rewritten does the same the plain way: rows are decoded, changed and encoded.
func rewritten(t testing.TB, paths []string, out string, of func(row int) change, opts ...arrowipc.WriteOption) {
	t.Helper()
	all := readAll(t, paths)
	for i := range all.rows {
		of(i).apply(&all.rows[i])
	}
	save(t, out, all.rows, opts...)
}

// Splicing gives the bytes that the plain way gives.
func TestSpliceGivesTheBytesOfEncodingAnew(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []arrowipc.Compression{arrowipc.None, arrowipc.LZ4, arrowipc.Zstd} {
		opts := []arrowipc.WriteOption{arrowipc.Compress(c), arrowipc.RecordRows(16), arrowipc.Replace()}
		in := filepath.Join(dir, "in.arrow")
		save(t, in, sample(t, 103), opts...)
		for name, of := range map[string]func(int) change{
			"nothing": func(int) change { return nothing },
			"all":     func(i int) change { return change(i/5) % changes },
			"dropped": func(i int) change { return change(i/5) % (dropped + 1) },
			"stamped": func(i int) change { return stamped * (change(i) % 2) },
			"one":     func(i int) change { return rescored * change(btoi(i == 40)) },
		} {
			t.Run(fmt.Sprint(c, " ", name), func(t *testing.T) {
				a, b := filepath.Join(dir, "a.arrow"), filepath.Join(dir, "b.arrow")
				defer os.Remove(a)
				defer os.Remove(b)
				spliced(t, []string{in}, a, of)
				rewritten(t, []string{in}, b, of, opts...)
				got, want := contents(t, a), contents(t, b)
				if !bytes.Equal(got, want) {
					t.Errorf("%d bytes, want %d others", len(got), len(want))
				}
			})
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func contents(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Whatever is changed in whichever rows of whichever files, the rows that come
// back are those of the plain way.
func TestSpliceGivesTheSameRows(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		var paths []string
		for i := range rapid.IntRange(1, 3).Draw(rt, "files") {
			path := filepath.Join(dir, fmt.Sprintf("%d.arrow", i))
			save(t, path, sample(t, rapid.IntRange(1, 60).Draw(rt, "rows")), arrowipc.Replace(), arrowipc.RecordRows(rapid.IntRange(1, 40).Draw(rt, "cut")))
			paths = append(paths, path)
		}
		made := rapid.SliceOfN(rapid.IntRange(0, int(changes)-1), 180, 180).Draw(rt, "changes")
		of := func(row int) change { return change(made[row]) }
		a, b := filepath.Join(dir, "a.arrow"), filepath.Join(dir, "b.arrow")
		defer os.Remove(a)
		spliced(t, paths, a, of)
		rewritten(t, paths, b, of, arrowipc.Replace())
		sameRows(t, readAll(t, []string{a}).rows, readAll(t, []string{b}).rows)
	})
}

func TestFramesAreOfOurFilesAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.arrow")
	data, _ := save(t, path, sample(t, 20))
	open := func(data []byte) error {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		frames := stream.From(arrowipc.OpenFrames(path))
		_, err := stream.Run(context.Background(), stream.To(frames, stream.SinkFunc[*arrowipc.Frame](func(ctx context.Context, in <-chan stream.Batch[*arrowipc.Frame]) error {
			for b, err := range stream.Receive(ctx, in) {
				if err != nil {
					return err
				}
				if _, err := b.Items[0].Decode(rollout.AllFields, 0, b.Items[0].Rows()); err != nil {
					return err
				}
			}
			return nil
		})))
		return err
	}
	if err := open(data); err != nil {
		t.Fatal(err)
	}
	torn := bytes.Clone(data)
	torn[len(data)/2] ^= 1
	for name, data := range map[string][]byte{"torn": data[:len(data)-9], "changed": torn, "text": []byte("{}\n")} {
		var bad *files.InputError
		if err := open(data); !errors.As(err, &bad) || bad.Path != path {
			t.Errorf("%s: got error %v, want one that names the file", name, err)
		}
	}
}
