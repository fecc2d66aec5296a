package arrowipc_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/stream"
)

// Files of a spool end where they are told to and are there as soon as they are
// whole, also when the flow fails behind them.
func TestSpool(t *testing.T) {
	for _, fails := range []bool{false, true} {
		dir, stop := t.TempDir(), errors.New("stopped")
		rows := sample(t, 103)
		var taken []arrowipc.Part
		spool := arrowipc.Spool{
			Name: func(file int) string { return filepath.Join(dir, fmt.Sprintf("part-%03d.arrow", file+7)) },
			Ends: func(seq uint64) bool { return seq%3 == 2 },
			Take: func(file arrowipc.Part, sum [16]byte) error {
				data, err := os.ReadFile(file.Path)
				if err != nil || int64(len(data)) != file.Bytes || xxh3.Hash128(data).Bytes() != sum {
					t.Errorf("%s: %v, %d bytes", file.Path, err, len(data))
				}
				taken = append(taken, file)
				if fails && len(taken) == 2 {
					return stop
				}
				return nil
			},
		}
		w := arrowipc.Create("spool", arrowipc.ToSpool(spool), arrowipc.RecordRows(4), arrowipc.WriteWorkers(2))
		_, err := stream.Run(context.Background(), stream.To(stream.FromSlice(rows, stream.Items(10)), w))
		if errors.Is(err, stop) != fails {
			t.Fatal(err)
		}
		want := []int64{30, 30, 30, 13}
		if fails {
			want = want[:2]
		}
		paths, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(taken) != len(want) || len(paths) != len(want) {
			t.Fatalf("%v, %d taken: %v", err, len(taken), paths)
		}
		total := 0
		for i := range want {
			if taken[i].Rows != want[i] || taken[i].Path != paths[i] {
				t.Errorf("file %d: %+v, want %d rows", i, taken[i], want[i])
			}
			total += int(want[i])
		}
		sameRows(t, readAll(t, paths).rows, rows[:total])
	}
}

// Of no rows there are no files.
func TestEmptySpool(t *testing.T) {
	dir := t.TempDir()
	w := arrowipc.Create("spool", arrowipc.ToSpool(arrowipc.Spool{
		Name: func(int) string { return filepath.Join(dir, "part.arrow") },
		Ends: func(uint64) bool { return true },
		Take: func(arrowipc.Part, [16]byte) error { return errors.New("there is a file") },
	}))
	if _, err := stream.Run(context.Background(), stream.To(stream.FromSlice(sample(t, 0)), w)); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
}
