package curate

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/rollmill/rollmill/formats/files"
)

// The files of a folder.
const (
	rowsFile       = "rows.arrow"
	quarantineFile = "quarantine.jsonl"
	manifestFile   = "manifest.json"
	reportFile     = "report.json"
	pageFile       = "report.html"
	runFile        = "run.json"

	// JobFileName is the name of the job file: see [Options].
	JobFileName = "job.yaml"

	spoolDir = ".spool"
	jobFile  = "job.json" // within it: the job of a run that has not ended
)

// ErrInputChanged says that an input is not what it was when the run began.
var ErrInputChanged = errors.New("changed while it was read")

// ErrOther says that a folder holds something else than this run.
var ErrOther = errors.New("holds something else")

// folder is where a run writes.
type folder struct {
	path string
	job  *Job
	tmp  string // where the spool is, if that is elsewhere
}

func (f *folder) file(name string) string { return filepath.Join(f.path, name) }
func (f *folder) hidden() string          { return f.file(spoolDir) }

// dir is where temporary files go.
func (f *folder) dir() string {
	if f.tmp != "" {
		return f.tmp
	}
	return f.hidden()
}

// open makes the folder ready for a run, or returns what it left when it ended.
func (f *folder) open(force bool) (done *Manifest, err error) {
	if err := os.MkdirAll(f.path, 0o777); err != nil {
		return nil, &files.OutputError{Path: f.path, Err: err}
	}
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return nil, &files.OutputError{Path: f.path, Err: err}
	}
	if len(entries) > 0 && !force {
		if done, err = f.earlier(); done != nil || err != nil {
			return done, err
		}
	}
	// What says whose the folder is goes last: a run that is cut off here leaves a
	// folder that is still known.
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool {
		return e.Name() == spoolDir || e.Name() == JobFileName || !ours(e.Name()) // the run may be read from the job file
	})
	for _, e := range entries {
		if err := os.RemoveAll(f.file(e.Name())); err != nil {
			return nil, &files.OutputError{Path: f.file(e.Name()), Err: err}
		}
	}
	if err := os.RemoveAll(f.hidden()); err != nil {
		return nil, &files.OutputError{Path: f.hidden(), Err: err}
	}
	if err := os.Mkdir(f.hidden(), 0o777); err != nil {
		return nil, &files.OutputError{Path: f.hidden(), Err: err}
	}
	text, err := f.job.text()
	if err != nil {
		return nil, err
	}
	return nil, writeFile(filepath.Join(f.hidden(), jobFile), text)
}

// earlier returns the manifest of a run of the same job that ended, and nothing
// for one that did not end.
func (f *folder) earlier() (*Manifest, error) {
	mine, err := f.job.text()
	if err != nil {
		return nil, err
	}
	if text, err := os.ReadFile(f.file(manifestFile)); err == nil {
		done := &Manifest{}
		if json.Unmarshal(text, done) != nil || done.Job == nil {
			return nil, f.other("its " + manifestFile + " cannot be read")
		}
		his, err := done.Job.text()
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(his, mine) {
			return nil, f.other(done.Job.differs(f.job))
		}
		if !f.job.readable() {
			return nil, f.other("it cannot be told whether the input is the same")
		}
		for _, p := range done.Parts {
			if info, err := os.Stat(f.file(p.Path)); err != nil || info.Size() != p.Bytes {
				return nil, f.other(p.Path + " is not as this run left it")
			}
		}
		return done, nil
	}
	text, err := os.ReadFile(filepath.Join(f.hidden(), jobFile))
	if err != nil {
		if entries, listed := os.ReadDir(f.path); listed == nil && unbegun(entries) {
			return nil, nil
		}
		return nil, f.other("it is no folder of a run")
	}
	his := &Job{}
	if json.Unmarshal(text, his) != nil {
		return nil, nil // the run was stopped before it began
	}
	if !bytes.Equal(bytes.TrimSpace(text), bytes.TrimSpace(mine)) {
		return nil, f.other("an unfinished run: " + his.differs(f.job))
	}
	return nil, nil
}

// unbegun reports whether a folder holds nothing but an empty spool and a job file.
func unbegun(entries []os.DirEntry) bool {
	return !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != spoolDir && e.Name() != JobFileName })
}

// writeJobFile writes the job file, or removes that of another run.
func (f *folder) writeJobFile(text []byte) error {
	if len(text) > 0 {
		return writeFile(f.file(JobFileName), text)
	}
	if err := os.RemoveAll(f.file(JobFileName)); err != nil {
		return &files.OutputError{Path: f.file(JobFileName), Err: err}
	}
	return nil
}

func (f *folder) other(what string) error {
	return &files.OutputError{Path: f.path, Err: fmt.Errorf("%w: %s", ErrOther, what), Hint: "name another folder or pass --force"}
}

// partName is what a training file of several is called, without its ending.
var partName = regexp.MustCompile(`^train-[0-9]{5,}$`)

// ours reports whether a run may have left a file of this name.
func ours(name string) bool {
	if strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".partial") {
		name = strings.TrimPrefix(name, ".")
		name = strings.TrimSuffix(name, ".partial")
		name = name[:max(strings.LastIndexByte(name, '.'), 0)]
	}
	switch name {
	case rowsFile, quarantineFile, manifestFile, reportFile, pageFile, runFile, spoolDir, JobFileName:
		return true
	}
	for _, f := range []Format{Parquet, JSONL, Arrow} {
		if name == "train."+string(f) || name == "holdout."+string(f) {
			return true
		}
		if stem, ok := strings.CutSuffix(name, "."+string(f)); ok && partName.MatchString(stem) {
			return true
		}
	}
	return false
}

// clear removes the temporary files of a run that has ended.
func (f *folder) clear() {
	os.RemoveAll(f.hidden())
	if f.tmp != "" {
		os.RemoveAll(f.tmp)
	}
}

// abandon removes the spool of a run that failed, and leaves the note whose run it
// was: the next one begins anew.
func (f *folder) abandon() {
	os.Remove(filepath.Join(f.hidden(), rowsFile))
	if f.tmp != "" {
		os.RemoveAll(f.tmp)
	}
}

// writeFile writes a file that appears when it is whole.
func writeFile(path string, text []byte) error {
	out, err := files.Create(path, true)
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, err := out.Write(text); err != nil {
		return err
	}
	return out.Commit()
}
