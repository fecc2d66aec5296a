package curate

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/rollmill/rollmill/formats/files"
)

// whole is the note of a first pass that has ended: there is nothing left to read.
type whole struct {
	Parts       int    `json:"parts"`
	Rows        int64  `json:"rows"`
	Quarantined int64  `json:"quarantined"`
	LeftOut     int64  `json:"left_out"`
	Bytes       int64  `json:"bytes"` // of the file of records that were refused, if there is one
	Sum         string `json:"xxh3"`
}

// The files beside the parts.
const (
	wholeFile   = "whole.json"
	refusedFile = "refused.jsonl" // becomes the quarantine
)

func (l *line) wholePath() string   { return filepath.Join(l.folder.hidden(), wholeFile) }
func (l *line) refusedPath() string { return filepath.Join(l.folder.hidden(), refusedFile) }

// resume takes over what an earlier run of the same job had finished, and removes
// what else it left. It reports whether that run had read all rows.
func (l *line) resume(ctx context.Context) (all bool, err error) {
	if l.folder.continues && l.folder.job.resumable() {
		for {
			p, err := l.finished(ctx, l.spool.parts())
			if ctx.Err() != nil {
				return false, context.Cause(ctx)
			}
			if err != nil {
				break // it is made again, and so are those behind it
			}
			l.spool.add(p)
		}
		all = l.readAll(ctx)
	} else if l.folder.continues {
		l.told(Anew{})
	}
	if rows := l.spool.rows(); rows > 0 {
		l.told(Continuing{Rows: rows, All: all})
	}
	return all, l.sweep(all)
}

// readAll reports whether the parts are all there are, and takes over how many
// records were refused and left out.
func (l *line) readAll(ctx context.Context) bool {
	text, err := os.ReadFile(l.wholePath())
	w := whole{}
	if err == nil {
		text, err = l.unseal(text)
	}
	if err != nil || json.Unmarshal(text, &w) != nil || w.Rows < 1 || w.Parts != l.spool.parts() || w.Rows != l.spool.rows() {
		return false
	}
	if w.Quarantined > 0 {
		sum, size, err := xxh3Of(ctx, l.refusedPath())
		if err != nil || sum != w.Sum || size != w.Bytes {
			return false
		}
	}
	l.refused, l.leftOut = w.Quarantined, w.LeftOut
	return true
}

// noteWhole notes that all rows were read.
func (l *line) noteWhole(ctx context.Context) error {
	w := whole{Parts: l.spool.parts(), Rows: l.spool.rows(), Quarantined: l.refused, LeftOut: l.leftOut}
	if w.Quarantined > 0 {
		var err error
		if w.Sum, w.Bytes, err = xxh3Of(ctx, l.refusedPath()); err != nil {
			return &files.OutputError{Path: l.refusedPath(), Err: err}
		}
	}
	text, err := json.Marshal(&w)
	if err == nil {
		text, err = l.seal(text)
	}
	if err != nil {
		return err
	}
	return writeLoose(l.wholePath(), text)
}

// sweep removes from the folders of the spool what is of no use any more.
func (l *line) sweep(all bool) error {
	keep := []string{jobFile, lockFile, tmpFile, inputsDir}
	if all {
		keep = append(keep, wholeFile, refusedFile)
	}
	for n := range l.spool.parts() {
		keep = append(keep, filepath.Base(l.spool.path(n)), filepath.Base(l.spool.note(n)))
	}
	for _, dir := range slices.Compact([]string{l.folder.hidden(), l.spool.dir}) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return &files.OutputError{Path: dir, Err: err}
		}
		for _, e := range entries {
			if slices.Contains(keep, e.Name()) {
				continue
			}
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return &files.OutputError{Path: filepath.Join(dir, e.Name()), Err: err}
			}
		}
	}
	return nil
}

// resumable reports whether what was read of the inputs can be told from what comes
// when they are read again.
func (j *Job) resumable() bool { return len(j.Inputs) > 0 && j.readable() }

// writeQuarantine copies the records that were refused to where they stay: the spool
// keeps them until the run has ended.
func (l *line) writeQuarantine(ctx context.Context) error {
	if l.refused == 0 {
		return nil
	}
	from, err := os.Open(l.refusedPath())
	if err != nil {
		return &files.OutputError{Path: l.refusedPath(), Err: err}
	}
	defer from.Close()
	out, err := files.Create(l.folder.file(quarantineFile), true)
	if err != nil {
		return err
	}
	defer out.Abort() // nothing is left to abort after a commit
	if _, err := io.Copy(out, reading{ctx, from}); err != nil {
		return err
	}
	return out.Commit()
}
