package arrowipc_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
)

// Whatever a file holds, reading it gives rows that can be written and read
// again, or an error that names it.
func FuzzReader(f *testing.F) {
	rows := sample(f, 6)
	for _, c := range []arrowipc.Compression{arrowipc.None, arrowipc.LZ4, arrowipc.Zstd} {
		for _, name := range []string{"x.arrow", "x.arrows"} {
			data, _ := save(f, filepath.Join(f.TempDir(), name), rows, arrowipc.Compress(c), arrowipc.RecordRows(4))
			f.Add(data)
		}
	}
	for _, o := range [][]ipc.Option{nil, {ipc.WithLZ4()}, {ipc.WithZstd()}} {
		fs := fields("prompt", viewS, "scenario_id", dictS, "reward", f32, "tags", arrow.ListOf(largeS), "m", arrow.MapOf(str, i32), "p", arrow.FixedSizeListOf(2, i32), "ok", boolean)
		rec := theirRecord(f, fs, `[{"prompt":"more than twelve bytes","scenario_id":"t","reward":1.5,"tags":["a",null],"m":[{"key":"k","value":2}],"p":[1,2],"ok":true},{"scenario_id":"u"}]`)
		for _, name := range []string{"x.arrow", "x.arrows"} {
			data, err := os.ReadFile(theirFile(f, name, []arrow.RecordBatch{rec}, o...))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Add([]byte("ARROW1"))
	f.Add([]byte(`{"prompt":"a"}`))
	path := filepath.Join(f.TempDir(), "x.arrow")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, want := range []rollout.Fields{rollout.AllFields, two} {
			a, err := tryReadAll([]string{path}, arrowipc.Fields(want), arrowipc.Workers(1))
			var ie *files.InputError
			if err != nil && !errors.As(err, &ie) {
				t.Fatalf("an error of another kind: %v", err)
			}
			if err != nil && strings.Contains(err.Error(), "panic") {
				t.Fatal(err)
			}
			for i := range a.rows {
				if want == rollout.AllFields {
					rowsOf(t, string(a.rows[i].AppendJSON(nil)))
				}
			}
		}
	})
}
