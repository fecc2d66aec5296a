package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
)

// target is where a conversion writes.
type target struct {
	path       string // - is standard output
	as         string // the word for what it is made of; "": its name says so
	quarantine string // "": rejects are counted only
	parts      bool   // path names several files
	force      bool   // earlier files of these names are replaced
	dry        bool   // nothing is written
}

// outputEndings are those of the names of files that can be written, without
// those of compression.
var outputEndings = []string{".jsonl", ".ndjson", ".parquet", ".arrow", ".arrows", ""}

// outputFormats are the words for what outputs can be made of.
var outputFormats = map[string]files.Format{
	"jsonl": files.JSON, "parquet": files.Parquet, "arrow": files.ArrowFile, "arrows": files.ArrowStream,
}

const formatWords = "jsonl, parquet, arrow or arrows (a stream)"

func (t *target) toStdout() bool { return t.path == files.Stdin }

// format is what the target is made of.
func (t *target) format() files.Format {
	if t.as != "" {
		return outputFormats[t.as]
	}
	return files.FormatOf(t.path)
}

// check says what is wrong with the target before anything is read, as far as
// that can be told.
func (t *target) check(inputs []string) error {
	ending := files.Ext(t.path)
	if _, known := outputFormats[t.as]; t.as != "" && !known {
		return usagef("--format %s: want %s", t.as, formatWords)
	}
	switch {
	case t.path == "" && t.dry:
		return nil
	case t.path == "":
		return usagef("say where to write: -o FILE, or -o - for standard output")
	case t.toStdout() && t.parts:
		return usagef("--rows-per-file: standard output is one file; name one with -o")
	case t.quarantine == files.Stdin:
		return usagef("--quarantine -: standard output is taken; name a file")
	case t.toStdout():
		return t.checkFile(t.quarantine, inputs, false)
	case !slices.Contains(outputEndings, ending):
		return usagef("%s: this version does not write %s; name it .jsonl, .jsonl.gz, .jsonl.zst, .parquet, .arrow or .arrows", t.path, ending)
	case ending != "" && t.format() != files.FormatOf(t.path):
		return usagef("%s: its name says other than --format %s; leave one of them out", t.path, t.as)
	case t.format() != files.JSON && files.CompressionOf(t.path) != files.Plain:
		return usagef("%s: such files are packed within; name it %s", t.path, ending)
	case t.quarantine != "" && (samePath(t.quarantine, t.path) || t.parts && isPart(t.path, t.quarantine)):
		return usagef("%s: it is both the output and the quarantine", t.quarantine)
	}
	if err := t.checkFile(t.path, inputs, t.parts); err != nil {
		return err
	}
	return t.checkFile(t.quarantine, inputs, false)
}

// checkFile checks one file that is to be written, or with parts its parts.
func (t *target) checkFile(path string, inputs []string, parts bool) error {
	if path == "" {
		return nil
	}
	for _, in := range inputs {
		if parts && isPart(path, in) || !parts && sameFile(path, in) {
			return usagef("%s: it is an input, and it would be written to as well", in)
		}
	}
	info, err := os.Stat(path)
	there := err == nil
	switch {
	case there && info.IsDir() && !parts:
		return &files.OutputError{Path: path, Err: errors.New("is a folder"), Hint: "name a file in it"}
	case parts && !t.force && len(partsFrom(path, 0)) > 0:
		return &files.OutputError{Path: jsonl.PartPath(path, 0), Err: files.ErrExists, Hint: "remove the parts of the earlier run, choose another name or pass --force"}
	case there && !info.Mode().IsRegular():
		return nil // a device or a pipe, which is written in place
	case there && !t.force && !parts:
		return &files.OutputError{Path: path, Err: files.ErrExists, Hint: "remove it, choose another name or pass --force"}
	case t.dry:
		return nil
	}
	probe, err := files.Create(path, true)
	if err == nil {
		probe.Abort()
	}
	return err
}

// writes reports whether the target writes a file.
func (t *target) writes(path string) bool {
	switch {
	case t.quarantine != "" && sameFile(t.quarantine, path):
		return true
	case t.path == "" || t.toStdout():
		return false
	case t.parts:
		return isPart(t.path, path)
	}
	return sameFile(t.path, path)
}

// samePath reports whether two names lead to one place, though nothing may be
// there yet.
func samePath(a, b string) bool {
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB || sameFile(a, b)
}

func sameFile(a, b string) bool {
	if b == files.Stdin {
		return false
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// removeStale removes what an earlier run left under names that this run
// replaces as a whole and did not use: parts that follow its last one, and the
// quarantine beside the output although nothing was set aside.
func (t *target) removeStale(parts int, setAside bool) error {
	if !t.force || t.toStdout() {
		return nil
	}
	var names []string
	if t.parts {
		names = partsFrom(t.path, parts)
	}
	if !setAside && t.quarantine == defaultQuarantine(t.path) && t.quarantine != "" {
		names = append(names, t.quarantine)
	}
	for _, name := range names {
		if err := remove(name); err != nil {
			return err
		}
	}
	return nil
}

// remove removes a file, if it is one and is there.
func remove(path string) error {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if err := os.Remove(path); err != nil {
		return &files.OutputError{Path: path, Err: err, Hint: "remove it by hand"}
	}
	return nil
}
