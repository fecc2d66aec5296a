package files

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Stdin is the argument that means standard input.
const Stdin = "-"

// recordExts are the endings of files that may hold rollouts, without those of
// compression.
var recordExts = []string{".jsonl", ".ndjson", ".json", ".traj", ".eval", ".parquet", ".arrow", ".arrows"}

// Expand turns arguments into the paths of input files, in the order of the
// arguments: a file is itself, a folder is every file below it whose name ends
// as one of rollouts does, sorted by path, a pattern is what it matches,
// sorted. Left out of folders and patterns are hidden files, what is no regular
// file, and quarantines, whose records were refused once. An argument that
// yields nothing is an *InputError.
func Expand(args []string) ([]string, error) { return ExpandWithout(args, nil) }

// ExpandWithout is Expand that leaves out of folders and patterns what without
// tells of: files, and folders with all that is below them, such as a run itself
// writes. A file that is named stays, whatever without says; a folder that is named
// and left out yields nothing.
func ExpandWithout(args []string, without func(path string) bool) ([]string, error) {
	e := &expansion{without: without}
	var paths []string
	for _, arg := range args {
		found, err := e.one(arg)
		if err != nil {
			return nil, err
		}
		paths = append(paths, found...)
	}
	return paths, nil
}

// expansion is how one list of arguments is expanded.
type expansion struct {
	without func(path string) bool // nil: nothing is left out
	left    bool                   // something was, of the argument at hand
}

// leaves reports whether a path is left out.
func (e *expansion) leaves(path string) bool {
	if e.without == nil || !e.without(path) {
		return false
	}
	e.left = true
	return true
}

// nothing says that an argument yields nothing.
func (e *expansion) nothing(arg, hint string) error {
	if e.left {
		hint = "what is there is written by this run"
	}
	return &InputError{arg, ErrNothingFound, hint}
}

func (e *expansion) one(arg string) ([]string, error) {
	e.left = false
	if arg == Stdin {
		return []string{arg}, nil
	}
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return e.dir(arg)
	case err == nil:
		return []string{arg}, nil
	case !strings.ContainsAny(arg, `*?[`):
		return nil, inputError(arg, err)
	}
	found, err := filepath.Glob(arg)
	if err != nil {
		return nil, &InputError{arg, err, "a pattern has *, ? and [a-z]"}
	}
	var paths []string
	for _, p := range found {
		if info, err := os.Stat(p); err == nil && !info.IsDir() && !IsQuarantine(p) && !e.leaves(p) {
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 {
		return nil, e.nothing(arg, "no file matches the pattern")
	}
	return paths, nil
}

func (e *expansion) dir(dir string) ([]string, error) {
	var paths []string
	err := filepath.WalkDir(dir, func(path string, at fs.DirEntry, err error) error {
		if err != nil {
			return inputError(path, err)
		}
		hidden := path != dir && strings.HasPrefix(at.Name(), ".")
		switch {
		case at.IsDir() && (hidden || e.leaves(path)):
			return fs.SkipDir
		case !at.IsDir() && !hidden && IsRecordName(at.Name()) && !IsQuarantine(path) && !e.leaves(path):
			if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
				paths = append(paths, path) // a broken link is an error where it is opened
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, e.nothing(dir, fmt.Sprintf("want files named %s, .gz and .zst allowed", strings.Join(recordExts, ", ")))
	}
	return paths, nil
}

// IsRecordName reports whether a file of this name may hold rollouts.
func IsRecordName(name string) bool {
	ext := Ext(name)
	for _, e := range recordExts {
		if ext == e {
			return true
		}
	}
	return false
}

// IsQuarantine reports whether a file of this name holds records that were
// refused: out.quarantine.jsonl, and the same packed.
func IsQuarantine(name string) bool {
	stem := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(filepath.Base(name)), ".gz"), ".zst")
	return strings.HasSuffix(stem, ".quarantine.jsonl")
}

// Ext returns the ending of a file name in lower case, looking through those
// of compression: ".jsonl" for "a.jsonl.zst".
func Ext(name string) string {
	name = strings.ToLower(filepath.Base(name))
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	return filepath.Ext(name)
}
