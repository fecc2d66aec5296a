package curate_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/stages/curate"
)

// A run does not clear away what it is to read.
func TestInputInOut(t *testing.T) {
	for _, name := range []string{"train.jsonl", "holdout.jsonl", "train-00000.jsonl", ".spool/part-00000.arrow"} {
		out := t.TempDir()
		in := filepath.Join(out, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(in), 0o777), os.WriteFile(in, lines(), 0o666)); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(out, link); err != nil {
			t.Fatal(err)
		}
		for _, change := range []func(o *curate.Options){
			func(o *curate.Options) { o.Inputs = []curate.Input{{Name: in}} },
			func(o *curate.Options) { o.Out = link },
			func(o *curate.Options) { o.Inputs, o.Against = nil, []curate.Input{{Name: in}} },
			func(o *curate.Options) { o.Inputs, o.Prior = nil, []curate.Input{{Name: in}} },
		} {
			o, _ := small(t, in, out)
			o.Force, o.Rows = true, jsonl.Open(in)
			change(&o)
			if _, err := curate.Run(t.Context(), o); !errors.Is(err, curate.ErrOther) || !strings.Contains(err.Error(), "which is to be read") {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := os.Stat(in); err != nil {
				t.Fatal(err)
			}
		}
	}

	// Beside what the run writes an input may stand.
	out := t.TempDir()
	in := filepath.Join(out, "in.jsonl")
	if err := os.WriteFile(in, lines(), 0o666); err != nil {
		t.Fatal(err)
	}
	o, _ := small(t, in, out)
	o.Force = true
	if _, err := curate.Run(t.Context(), o); err != nil {
		t.Error(err)
	}
}
