package parquet_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/formats/rollout"
)

// damaged writes a file to be damaged and returns its rows and bytes.
func damaged(t *testing.T) (path string, rows []rollout.Row, data []byte) {
	rows = decode(t,
		`{"rollout_id":"a","scenario_id":"t","reward":1.0,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"r","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}],"markers":{"m":0.5}}`,
		`{"rollout_id":"b","scenario_id":"t","reward":0,"n_tokens":3,"messages":[],"rollmill_gates":[{"gate":"g"}],"x":1}`)
	path = filepath.Join(memory(t), "x.parquet")
	write(t, path, rows, 10)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, rows, data
}

// No damage of one byte is read as other rows.
func TestFlippedBytes(t *testing.T) {
	path, rows, data := damaged(t)
	step := 1
	if testing.Short() {
		step = 17
	}
	refused := 0
	for _, flip := range []byte{0xff, 0x01} {
		for i := 0; i < len(data); i += step {
			bad := bytes.Clone(data)
			bad[i] ^= flip
			if err := os.WriteFile(path, bad, 0o666); err != nil {
				t.Fatal(err)
			}
			a, err := tryRead([]string{path}, parquet.Workers(1))
			if err != nil {
				refused++
				continue
			}
			if len(a.rows) != len(rows) {
				t.Fatalf("byte %d of %d flipped by %#x: %d rows", i, len(data), flip, len(a.rows))
			}
			for j := range rows {
				if !a.rows[j].Equal(&rows[j]) {
					t.Fatalf("byte %d of %d flipped by %#x: row %d is %s", i, len(data), flip, j, a.rows[j].Canonical())
				}
			}
		}
	}
	t.Logf("%d of %d flips refused", refused, 2*len(data)/step)
}

func TestTornFiles(t *testing.T) {
	path, _, data := damaged(t)
	for n := 0; n < len(data); n += 7 {
		if err := os.WriteFile(path, data[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := tryRead([]string{path})
		if ie, ok := errors.AsType[*files.InputError](err); !ok || ie.Path != path {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
	}
}

func TestDamageNamesThePlace(t *testing.T) {
	path, rows, _ := damaged(t)
	write(t, path, rows, 10, parquet.Compression(parquet.None))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[bytes.Index(data, []byte("ab"))]++ // the first column's texts
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = tryRead([]string{path})
	if ge, ok := errors.AsType[*parquet.GroupError](err); !ok || ge.File != path || ge.Group != 0 || ge.Column != "rollout_id" {
		t.Errorf("%v", err)
	}
}

func TestOtherVersion(t *testing.T) {
	path, _, data := damaged(t)
	i := bytes.Index(data, []byte("rollmill.schema")) + len("rollmill.schema")
	data[i+2] = '2' // behind the name stand the type and the length of the value
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := tryRead([]string{path})
	if !errors.Is(err, parquet.ErrVersion) || !strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
}
