package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/rollmill/rollmill/formats/files"
)

// A copy of an input is called rollmill-NUMBER.spool. It is locked for as long as the
// run that made it lives: one that is not was left by a run that was killed.
const copyBegin, copyEnd = "rollmill-", ".spool"

// makeCopy makes an empty file for a copy, and the lock of it.
func makeCopy(folder string) (to, lock *os.File, err error) {
	for {
		if to, err = os.CreateTemp(folder, copyBegin+"*"+copyEnd); err != nil {
			return nil, nil, err
		}
		if lock, err = os.OpenFile(to.Name(), os.O_RDWR, 0); err == nil {
			err = files.Lock(lock)
		}
		if errors.Is(err, errors.ErrUnsupported) {
			return to, lock, nil // nobody clears it away either
		}
		if err == nil && sameFileAt(lock, to.Name()) {
			return to, lock, nil
		}
		to.Close()
		if lock != nil {
			lock.Close()
		}
		os.Remove(to.Name())
		if err != nil && !errors.Is(err, files.ErrLocked) && !errors.Is(err, os.ErrNotExist) {
			return nil, nil, err
		} // else a run that clears away was faster
	}
}

// clearCopies removes the copies that runs of this user left in a folder when they were
// killed.
func clearCopies(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		name := e.Name()
		info, err := e.Info()
		if err != nil || !strings.HasPrefix(name, copyBegin) || !strings.HasSuffix(name, copyEnd) || !info.Mode().IsRegular() || !files.Owned(info) {
			continue
		}
		path := filepath.Join(folder, name)
		lock, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if files.Lock(lock) == nil && sameFileAt(lock, path) {
			os.Remove(path)
		}
		lock.Close()
	}
}

// sameFileAt reports whether an open file stands at a path still.
func sameFileAt(f *os.File, path string) bool {
	mine, err := f.Stat()
	there, gone := os.Lstat(path)
	return err == nil && gone == nil && os.SameFile(mine, there)
}
