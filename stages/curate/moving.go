package curate

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/files"
)

// The folder of a spool that is elsewhere is rollmill-NUMBER.spool.
const tmpBegin, tmpEnd = "rollmill-", ".spool"

// elsewhen is the folder of a spool that a note of an earlier run names, "" if there is
// none.
func (f *folder) elsewhen(note string) string {
	text, err := os.ReadFile(filepath.Join(f.hidden(), note))
	base := filepath.Base(string(text))
	if err != nil || !strings.HasPrefix(base, tmpBegin) || !strings.HasSuffix(base, tmpEnd) {
		return ""
	}
	if info, err := os.Stat(string(text)); err != nil || !info.IsDir() {
		return ""
	}
	return string(text)
}

// forget removes the spool of an earlier run.
func (f *folder) forget(dir string) {
	if dir != "" {
		os.RemoveAll(dir)
	}
}

// elsewhere makes a folder for the spool in another one, or finds that of the run that
// is continued. What that run has spooled somewhere else moves to where it belongs now.
func (f *folder) elsewhere(ctx context.Context, tmp string) (err error) {
	before, next := f.elsewhen(tmpFile), f.elsewhen(nextFile)
	from, to := f.hidden(), f.hidden()
	if before != "" {
		from = before
	}
	if tmp != "" {
		if tmp, err = filepath.Abs(tmp); err != nil {
			return &files.OutputError{Path: tmp, Err: err}
		}
		switch {
		case before != "" && filepath.Dir(before) == tmp:
			to = before
		case next != "" && filepath.Dir(next) == tmp:
			to = next
		default:
			if to, err = os.MkdirTemp(tmp, tmpBegin+"*"+tmpEnd); err != nil {
				return &files.OutputError{Path: tmp, Err: err}
			}
		}
	}
	if next != "" && next != to && next != before {
		_ = move(ctx, next, from) // the last parts at most are lost
		f.forget(next)
	}
	if from != to {
		if err := f.move(ctx, from, to); err != nil {
			return err
		}
	}
	os.Remove(filepath.Join(f.hidden(), nextFile))
	if before != to {
		f.forget(before)
	}
	if to != f.hidden() {
		f.tmp = to
	}
	return nil
}

// move takes the spool to another folder, and notes where it is.
func (f *folder) move(ctx context.Context, from, to string) error {
	note, next := filepath.Join(f.hidden(), tmpFile), filepath.Join(f.hidden(), nextFile)
	if to != f.hidden() && writeLoose(next, []byte(to)) != nil {
		os.Remove(next) // the disk is full; moving makes room
	}
	if err := move(ctx, from, to); err != nil {
		if to != f.hidden() {
			os.Remove(to) // unless something stands there
		}
		return err
	}
	if to != f.hidden() {
		return writeLoose(note, []byte(to))
	}
	if err := os.Remove(note); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &files.OutputError{Path: note, Err: err}
	}
	return nil
}

// move takes the parts of a spool to another folder. The last goes first: what stays
// behind when it is cut off is still a beginning, from which a run continues.
func move(ctx context.Context, from, to string) error {
	entries, err := os.ReadDir(from) // in the order of their names
	if err != nil {
		return &files.OutputError{Path: from, Err: err}
	}
	var copied, copies []string
	for _, e := range slices.Backward(entries) { // a note goes before its file
		if !strings.HasPrefix(e.Name(), "part-") {
			continue
		}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
			break
		}
		part, there := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		if os.Rename(part, there) == nil {
			continue
		}
		copied, copies = append(copied, part), append(copies, there)
		if err = copyFile(ctx, part, there); err != nil {
			break
		}
	}
	if err != nil {
		copied = copies
	}
	for _, path := range copied {
		os.Remove(path) // what stays is removed with the folder
	}
	return err
}

// copyFile copies a file to where it appears when it is whole.
func copyFile(ctx context.Context, from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return &files.InputError{Path: from, Err: err}
	}
	defer in.Close()
	out, err := files.Create(to, true)
	if err != nil {
		return err
	}
	out.Unsynced = true
	defer out.Abort() // nothing is left to abort after a commit
	if _, err := io.Copy(out, reading{ctx, in}); err != nil {
		return err
	}
	return out.Commit()
}
