package curate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rollmill/rollmill/formats/files"
)

// apart is an error when a file that is to be read stands where the run writes, or
// clears away what an earlier one left.
func (l *line) apart() error {
	for _, in := range slices.Concat(l.Inputs, l.Against, l.Prior) {
		dir, name := filepath.Dir(in.path()), filepath.Base(in.path())
		if samePlace(dir, l.Out) && ours(name) || samePlace(dir, filepath.Join(l.Out, spoolDir)) {
			return &files.OutputError{Path: l.Out, Err: fmt.Errorf("%w: %s, which is to be read", ErrOther, in.Name), Hint: "name another folder"}
		}
	}
	return nil
}

// samePlace reports whether two paths lead to the same folder.
func samePlace(a, b string) bool {
	one, err := os.Stat(a)
	other, missing := os.Stat(b)
	return err == nil && missing == nil && os.SameFile(one, other)
}
