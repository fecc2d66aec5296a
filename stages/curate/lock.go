package curate

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/rollmill/rollmill/formats/files"
)

// ErrBusy says that another run is at work in a folder.
var ErrBusy = errors.New("another run is at work in it")

// lock keeps other runs out of the folder until it is released, or the process has
// ended, in whatever way.
func (f *folder) lock() error {
	path := filepath.Join(f.hidden(), lockFile)
	for {
		if err := os.MkdirAll(f.hidden(), 0o777); err != nil {
			return &files.OutputError{Path: f.hidden(), Err: err}
		}
		held, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if errors.Is(err, os.ErrNotExist) {
			continue // a run has ended since
		}
		if err == nil {
			err = files.Lock(held)
		}
		if err != nil && !errors.Is(err, errors.ErrUnsupported) { // where there are no locks nobody is kept out
			held.Close()
			if errors.Is(err, files.ErrLocked) {
				return &files.OutputError{Path: f.path, Err: ErrBusy, Hint: "wait until it has ended, or name another folder"}
			}
			return &files.OutputError{Path: path, Err: err}
		}
		mine, err := held.Stat()
		if there, gone := os.Stat(path); err == nil && gone == nil && os.SameFile(mine, there) {
			f.held = held
			return nil
		}
		held.Close() // it was that of a run that has ended since, and removed it
	}
}

// release lets other runs in.
func (f *folder) release() {
	if f.held != nil {
		f.held.Close()
		f.held = nil
	}
}
