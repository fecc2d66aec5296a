package curate_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rollmill/rollmill/stages/curate"
)

// The parts of a spool follow a run that is to have it somewhere else, and are all there
// when a run before was cut off while it moved them.
func TestMovedSpool(t *testing.T) {
	in := writeLines(t)
	want := undisturbed(t, in)
	for _, c := range []struct {
		name  string
		moved int  // the last parts that are on their way
		noted bool // the move is done but for its end
		there bool // and goes on; else the spool is to stay
	}{
		{"all", 0, false, true},
		{"on its way", 4, false, true},
		{"on its way, and back", 4, false, false},
		{"almost done", 30, false, true},
		{"almost done, and back", 30, false, false},
		{"noted", 30, true, true},
		{"noted, and back", 30, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, tmp := filepath.Join(t.TempDir(), "out"), t.TempDir()
			cutOff(t, in, out, "write")
			spool := filepath.Join(out, ".spool")
			if c.moved > 0 {
				next := filepath.Join(tmp, "rollmill-1.spool")
				notes := []string{"next"}
				if c.noted {
					notes = append(notes, "tmp")
				}
				err := os.Mkdir(next, 0o777)
				for _, note := range notes {
					err = errors.Join(err, os.WriteFile(filepath.Join(spool, note), []byte(next), 0o666))
				}
				parts, found := filepath.Glob(filepath.Join(spool, "part-*"))
				if len(parts) < 2*c.moved && c.moved != 30 {
					t.Fatalf("%d files", len(parts))
				}
				for _, path := range parts[max(len(parts)-2*c.moved, 0):] {
					err = errors.Join(err, os.Rename(path, filepath.Join(next, filepath.Base(path))))
				}
				if err = errors.Join(err, found); err != nil {
					t.Fatal(err)
				}
			}
			o, g := small(t, in, out)
			if c.there {
				o.Tmp = tmp
			}
			told := curate.Continuing{}
			o.Tell = func(n fmt.Stringer) { told, _ = n.(curate.Continuing) }
			if _, err := curate.Run(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			if told != (curate.Continuing{Rows: tasks * aTask, All: true}) || len(g.rows) > 0 {
				t.Errorf("%+v, and %d rows were graded", told, len(g.rows))
			}
			sameFiles(t, want, filesOf(t, out))
			if left := names(t, tmp); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
