package main

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/rollmill/rollmill/formats/files"
)

// apart is an error when something that is to be read is named and stands in the folder
// that is written to, where a run clears away what another one left.
func (f *curateFlags) apart(args []string) error {
	for _, path := range slices.Concat(args, f.compared.against, []string{f.sel.prior}) {
		if path != "" && path != files.Stdin && isWithin(path, f.out) {
			return usagef("%s: it stands in %s, which is written to; name what lies outside, or another folder with -o", path, f.out)
		}
	}
	return nil
}

// isWithin reports whether a path leads to a folder, or to something in it.
func isWithin(path, folder string) bool {
	dir, err := os.Stat(folder)
	if err != nil {
		return false
	}
	if path, err = filepath.Abs(path); err != nil {
		return false
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return false // there is nothing, or nothing by that name: a pattern
	}
	for {
		if at, err := os.Stat(path); err == nil && os.SameFile(at, dir) {
			return true
		}
		up := filepath.Dir(path)
		if up == path {
			return false
		}
		path = up
	}
}
