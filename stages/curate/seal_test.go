package curate_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stream"
)

// Parts that stand in each other's place, or come from a run of another job, are made
// again.
func TestSwappedParts(t *testing.T) {
	in := writeLines(t)
	want := undisturbed(t, in)
	for _, c := range []struct {
		name      string
		one, with int
		foreign   bool // the other part is of a run of another seed
		parts     int  // that are taken over
	}{
		{"the first two", 0, 1, false, 0},
		{"in the middle", 2, 4, false, 2},
		{"of another run", 3, 3, true, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, other := filepath.Join(t.TempDir(), "out"), ""
			cutOff(t, in, out, "write")
			if other = out; c.foreign {
				other = filepath.Join(t.TempDir(), "other")
				stopped(t, in, other, "write", func(o *curate.Options) { o.Seed = 1 })
			}
			saved := rowsOfParts(t, out, c.parts)
			for _, ext := range []string{"arrow", "json"} {
				a := filepath.Join(out, ".spool", fmt.Sprintf("part-%05d.%s", c.one, ext))
				b := filepath.Join(other, ".spool", fmt.Sprintf("part-%05d.%s", c.with, ext))
				if err := errors.Join(os.Rename(a, a+"x"), os.Rename(b, a), os.Rename(a+"x", b)); err != nil {
					t.Fatal(err)
				}
			}
			o, g := small(t, in, out)
			if _, err := curate.Run(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			if len(g.rows) != tasks*aTask-saved {
				t.Errorf("%d rows were graded, want %d", len(g.rows), tasks*aTask-saved)
			}
			sameFiles(t, want, filesOf(t, out))
		})
	}
}

// Records that were passed over are counted in a run that reads nothing any more, as
// its earlier one has read everything.
func TestLeftOutContinued(t *testing.T) {
	in, out := writeLines(t), filepath.Join(t.TempDir(), "out")
	sampled := func(o *curate.Options) { o.LeftOut = func() int64 { return 7 } }
	if u := stopped(t, in, out, "write", sampled); !u.All {
		t.Fatalf("%+v", u)
	}
	o, _ := small(t, in, out)
	o.LeftOut = func() int64 { return 0 } // its source was not read
	r, err := curate.Run(t.Context(), o)
	if err != nil || r.Counts.LeftOut != 7 || r.Counts.In != r.Counts.Rows+r.Counts.Quarantined+7 {
		t.Errorf("%v, %v", r, err)
	}
}

// stopped is cutOff of a run with other options.
func stopped(t *testing.T, in, out, pass string, change func(*curate.Options)) *curate.UnfinishedError {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	o, _ := small(t, in, out)
	change(&o)
	o.Progress = func(name string, _ *stream.Running) {
		if name == pass {
			stop()
		}
	}
	_, err := curate.Run(ctx, o)
	unfinished, ok := errors.AsType[*curate.UnfinishedError](err)
	if !ok || !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return unfinished
}
