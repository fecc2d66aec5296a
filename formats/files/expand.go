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
func Expand(args []string) ([]string, error) {
	var paths []string
	for _, arg := range args {
		found, err := expandOne(arg)
		if err != nil {
			return nil, err
		}
		paths = append(paths, found...)
	}
	return paths, nil
}

func expandOne(arg string) ([]string, error) {
	if arg == Stdin {
		return []string{arg}, nil
	}
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return expandDir(arg)
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
		if info, err := os.Stat(p); err == nil && !info.IsDir() && !IsQuarantine(p) {
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 {
		return nil, &InputError{arg, ErrNothingFound, "no file matches the pattern"}
	}
	return paths, nil
}

func expandDir(dir string) ([]string, error) {
	var paths []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return inputError(path, err)
		}
		hidden := path != dir && strings.HasPrefix(e.Name(), ".")
		switch {
		case e.IsDir() && hidden:
			return fs.SkipDir
		case !e.IsDir() && !hidden && IsRecordName(e.Name()) && !IsQuarantine(path):
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
		return nil, &InputError{dir, ErrNothingFound, fmt.Sprintf("want files named %s, .gz and .zst allowed", strings.Join(recordExts, ", "))}
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
