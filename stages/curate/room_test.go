package curate

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Whether there is room is estimated from the inputs, and told where there is too
// little.
func TestRoom(t *testing.T) {
	dir := t.TempDir()
	if _, _, ok := freeBytes(dir); !ok {
		t.Skip("the system does not tell how much room there is")
	}
	var inputs []Input
	for _, name := range []string{"a.jsonl", "b.jsonl.zst", "c.parquet", "-"} {
		inputs = append(inputs, Input{Name: name, Path: filepath.Join(dir, name)})
	}
	for _, in := range inputs[:3] {
		if err := os.WriteFile(in.Path, make([]byte, 1000), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if size := textSize(inputs); size != 1000*(1+packedFactor+columnarFactor) {
		t.Errorf("%d bytes of text", size)
	}

	told := []fmt.Stringer{}
	l := &line{Options: Options{Inputs: inputs, Out: dir, Tell: func(n fmt.Stringer) { told = append(told, n) }}, spool: spool{dir: dir}}
	l.checkRoom()
	if len(told) != 0 {
		t.Errorf("told of a few bytes: %v", told)
	}
	if err := os.Truncate(inputs[0].Path, 1<<42); err != nil {
		t.Skipf("no file of 4 TiB here: %v", err)
	}
	l.checkRoom()
	if len(told) != 1 {
		t.Fatalf("told %v", told)
	}
	short, ok := told[0].(ShortOfRoom)
	if !ok || short.Folder != dir || short.Want != textSize(inputs)*3/2+textSize(inputs) || short.Free <= 0 || short.Free >= short.Want {
		t.Errorf("told %+v", told[0])
	}
	l.spool.bytes = short.Want // what is there already need not fit any more
	told = told[:0]
	l.checkRoom()
	if len(told) != 1 {
		t.Fatalf("told %v", told)
	}
	if short, ok := told[0].(ShortOfRoom); !ok || short.Want != textSize(inputs) {
		t.Errorf("told %+v", told)
	}
}
