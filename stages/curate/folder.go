package curate

import (
	"bytes"
	"context"
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

	spoolDir  = ".spool"
	inputsDir = "inputs"   // within it: see InputsDir
	jobFile   = "job.json" // within it: the job of a run that has not ended
	lockFile  = "lock"
	tmpFile   = "tmp"  // where the parts of the spool are, if that is elsewhere
	nextFile  = "next" // where they are being moved
)

// InputsDir is where in a folder of a run copies may stand of inputs that can be read
// once, such as standard input. A run that has the folder leaves them alone; when it has
// ended whoever made them removes them.
func InputsDir(out string) string { return filepath.Join(out, spoolDir, inputsDir) }

// ErrInputChanged says that an input is not what it was when the run began.
var ErrInputChanged = errors.New("changed while it was read")

// ErrOther says that a folder holds something else than this run.
var ErrOther = errors.New("holds something else")

// folder is where a run writes.
type folder struct {
	path string
	job  *Job

	tmp       string   // where the spool is, if that is elsewhere
	held      *os.File // the lock
	continues bool     // it holds an unfinished run of the same job
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

// open makes the folder ready for a run, or returns what it left when it ended. A
// folder that is refused is not touched.
func (f *folder) open(ctx context.Context, tmp string, force bool) (done *Manifest, err error) {
	if err := os.MkdirAll(f.path, 0o777); err != nil {
		return nil, &files.OutputError{Path: f.path, Err: err}
	}
	if !force {
		if done, err = f.earlier(ctx); done != nil || err != nil {
			f.tidy(done)
			return done, err
		}
	}
	if err := f.lock(); err != nil {
		return nil, err
	}
	if !force { // again, for a run may have ended since
		if done, err = f.earlier(ctx); done != nil || err != nil {
			f.tidy(done)
			return done, err
		}
	}
	if err := f.clean(); err != nil {
		return nil, err
	}
	return nil, f.elsewhere(ctx, tmp)
}

// tidy removes the spool of a run that was cut off when all else was done.
func (f *folder) tidy(done *Manifest) {
	if done == nil {
		return
	}
	if _, err := os.Stat(f.hidden()); err != nil {
		return
	}
	if f.held == nil && f.lock() != nil {
		return // the run is about to end
	}
	f.forget(f.elsewhen(tmpFile))
	f.clear()
}

// clean removes what an earlier run left but for a spool that is continued and the
// job file, from which the run may be read. What says whose the folder is is replaced
// last: a run that is cut off here leaves a folder that is still known.
func (f *folder) clean() error {
	var stale []string
	list := func(dir string, mine func(name string) bool) error {
		entries, err := os.ReadDir(dir)
		for _, e := range entries {
			if mine(e.Name()) {
				stale = append(stale, filepath.Join(dir, e.Name()))
			}
		}
		return err
	}
	err := list(f.path, func(name string) bool { return name != spoolDir && name != JobFileName && ours(name) })
	if err == nil && !f.continues {
		f.forget(f.elsewhen(nextFile))
		f.forget(f.elsewhen(tmpFile))
		err = list(f.hidden(), func(name string) bool { return name != lockFile && name != jobFile && name != inputsDir })
	}
	if err != nil {
		return &files.OutputError{Path: f.path, Err: err}
	}
	for _, path := range stale {
		if err := os.RemoveAll(path); err != nil {
			return &files.OutputError{Path: path, Err: err}
		}
	}
	if f.continues {
		return nil // it stands there; the disk may be full
	}
	text, err := f.job.text()
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(f.hidden(), jobFile), text)
}

// earlier returns the manifest of a run of the same job that ended, and nothing
// for one that did not end.
func (f *folder) earlier(ctx context.Context) (*Manifest, error) {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return nil, &files.OutputError{Path: f.path, Err: err}
	}
	if len(entries) == 0 {
		return nil, nil
	}
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
		if !done.consistent() {
			return nil, f.other("its " + manifestFile + " " + errUnfit.Error())
		}
		for _, p := range done.Parts {
			sum, size, err := hashOf(ctx, f.file(p.Path))
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if err != nil || size != p.Bytes || sum != p.SHA256 {
				return nil, f.other(p.Path + " " + errUnfit.Error())
			}
		}
		return done, nil
	}
	text, err := os.ReadFile(filepath.Join(f.hidden(), jobFile))
	if err != nil {
		if unbegun(entries) {
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
	f.continues = true
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

// clear removes the temporary files of a run that has ended, but for copies of inputs:
// they may be those of another run, which waits for the folder.
func (f *folder) clear() {
	f.forget(f.tmp)
	entries, _ := os.ReadDir(f.hidden())
	for _, e := range entries {
		if e.Name() != inputsDir {
			os.RemoveAll(filepath.Join(f.hidden(), e.Name()))
		}
	}
	os.Remove(filepath.Join(f.hidden(), inputsDir)) // unless one is there
	os.Remove(f.hidden())
}

// writeFile writes a file that appears when it is whole.
func writeFile(path string, text []byte) error { return writeWhole(path, text, false) }

// writeLoose is writeFile for what a run can make again: when it reaches the disk is
// left to the system.
func writeLoose(path string, text []byte) error { return writeWhole(path, text, true) }

func writeWhole(path string, text []byte, loose bool) error {
	out, err := files.Create(path, true)
	if err != nil {
		return err
	}
	out.Unsynced = loose
	defer out.Abort() // nothing is left to abort after a commit
	if _, err := out.Write(text); err != nil {
		return err
	}
	return out.Commit()
}
