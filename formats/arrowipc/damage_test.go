package arrowipc_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
)

var everyBit = flag.Bool("every-bit", false, "flip every bit of the files, which takes minutes")

// readDamaged reads a file that was damaged. Nothing may be read wrongly: it
// gives the rows that were written, or an error about the input.
func readDamaged(t *testing.T, path string, want []rollout.Row, fields rollout.Fields, same func(got, want *rollout.Row) bool) (failed bool) {
	t.Helper()
	a, err := tryReadAll([]string{path}, arrowipc.Fields(fields), arrowipc.Workers(1))
	if err != nil {
		var ie *files.InputError
		if !errors.As(err, &ie) || ie.Path != path {
			t.Fatalf("an error of another kind: %v", err)
		}
		return true
	}
	if len(a.rows) != len(want) || len(a.rejects) > 0 {
		t.Fatalf("%d rows and %d rejects, want %d", len(a.rows), len(a.rejects), len(want))
	}
	for i := range a.rows {
		if !same(&a.rows[i], &want[i]) {
			t.Fatalf("row %d: %s\nwant %s", i, a.rows[i].Canonical(), want[i].Canonical())
		}
	}
	return false
}

func TestFlippedBits(t *testing.T) {
	rows := sample(t, 12)
	sameReward := func(got, want *rollout.Row) bool { return got.Reward == want.Reward && got.TaskID == want.TaskID }
	for _, c := range []arrowipc.Compression{arrowipc.None, arrowipc.LZ4, arrowipc.Zstd} {
		for _, name := range []string{"x.arrow", "x.arrows"} {
			t.Run(c.String()+" "+name, func(t *testing.T) {
				dir := t.TempDir()
				data, _ := save(t, filepath.Join(dir, name), rows, arrowipc.Compress(c), arrowipc.RecordRows(7))
				path := filepath.Join(dir, name)
				f, err := os.OpenFile(path, os.O_RDWR, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				put := func(at int, b byte) {
					if _, err := f.WriteAt([]byte{b}, int64(at)); err != nil {
						t.Fatal(err)
					}
				}
				step := 331
				if *everyBit {
					step = 1
				}
				flips, failed := 0, 0
				for bit := 0; bit < 8*len(data); bit += step {
					put(bit/8, data[bit/8]^1<<(bit%8))
					flips++
					if readDamaged(t, path, rows, rollout.AllFields, (*rollout.Row).Equal) {
						failed++
					}
					readDamaged(t, path, rows, two, sameReward)
					put(bit/8, data[bit/8])
				}
				if failed < flips/2 {
					t.Errorf("%d of %d flips were noticed", failed, flips)
				}
			})
		}
	}
}

func TestTornFiles(t *testing.T) {
	rows := sample(t, 12)
	for _, name := range []string{"x.arrow", "x.arrows"} {
		dir := t.TempDir()
		data, _ := save(t, filepath.Join(dir, name), rows, arrowipc.RecordRows(7))
		torn := func(n int) bool {
			path := filepath.Join(dir, "torn"+filepath.Ext(name))
			if err := os.WriteFile(path, data[:n], 0o666); err != nil {
				t.Fatal(err)
			}
			return readDamaged(t, path, rows, rollout.AllFields, (*rollout.Row).Equal)
		}
		for n := 0; n < len(data); n += 1 + len(data)/400 {
			if !torn(n) {
				t.Fatalf("%s of %d bytes is read from %d", name, len(data), n)
			}
		}
		for _, n := range []int{1, 8, 9, 10, 18} {
			if !torn(len(data) - n) {
				t.Fatalf("%s is read without its last %d bytes", name, n)
			}
		}
	}
}

func TestDamageNamesThePlace(t *testing.T) {
	rows := sample(t, 30)
	path := filepath.Join(t.TempDir(), "x.arrow")
	data, _ := save(t, path, rows, arrowipc.RecordRows(10), arrowipc.Compress(arrowipc.None))
	at := bytes.LastIndex(data, []byte("日本"))
	for _, c := range []struct {
		name   string
		damage func([]byte) []byte
		want   string
	}{
		{"a bit of a text", func(b []byte) []byte { b[at] ^= 1; return b },
			`: record batch 3, column "final_text": the checksum is wrong: the bytes are not those that were written (restore the file, or make it anew from its source)`},
		{"half a file", func(b []byte) []byte { return b[:len(b)/2] }, `: its end is missing (it was cut off; restore the file, or make it anew from its source)`},
		{"a footer of zeros", func(b []byte) []byte {
			end := len(b) - 10
			clear(b[end-int(binary.LittleEndian.Uint32(b[end:])) : end])
			return b
		}, `: the footer is damaged`},
		{"text", func([]byte) []byte { return []byte("{\"reward\": 1}\n") }, `: is no Arrow IPC file or stream (JSON text and Parquet have readers of their own)`},
		{"nothing", func([]byte) []byte { return nil }, `: holds no record (want at least one rollout)`},
	} {
		bad := write(t, "bad.arrow", c.damage(bytes.Clone(data)))
		_, err := tryReadAll([]string{bad})
		if ie := (*files.InputError)(nil); !errors.As(err, &ie) || !strings.HasPrefix(ie.Error(), bad+c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, bad+c.want)
		}
	}
	bad := write(t, "bad.arrow", func() []byte { b := bytes.Clone(data); b[at] ^= 1; return b }())
	_, err := tryReadAll([]string{bad})
	var de *arrowipc.DamageError
	if !errors.As(err, &de) || de.Batch != 3 || de.Column != "final_text" {
		t.Errorf("%+v", de)
	}
	// Columns that are not read are not looked at.
	if a, err := tryReadAll([]string{bad}, arrowipc.Fields(two)); err != nil || len(a.rows) != 30 {
		t.Errorf("two columns of it: %d rows, %v", len(a.rows), err)
	}
}

// What stands behind the end is not passed over in silence.
func TestStreamsBehindOneAnother(t *testing.T) {
	rows := sample(t, 10)
	data, _ := save(t, filepath.Join(t.TempDir(), "x.arrows"), rows)
	path := write(t, "both.arrows", append(bytes.Clone(data), data...))
	_, err := tryReadAll([]string{path})
	if want := fmt.Sprintf("%s: there are bytes behind its end", path); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
}
