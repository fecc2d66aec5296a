package files

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// InputError says that an input cannot be read, and the way out.
type InputError struct {
	Path string
	Err  error
	Hint string
}

func (e *InputError) Error() string { return message(e.Path, e.Err, e.Hint) }

// Unwrap returns the cause.
func (e *InputError) Unwrap() error { return e.Err }

// OutputError says that an output cannot be written, and the way out.
type OutputError struct {
	Path string
	Err  error
	Hint string
}

func (e *OutputError) Error() string { return message(e.Path, e.Err, e.Hint) }

// Unwrap returns the cause.
func (e *OutputError) Unwrap() error { return e.Err }

var (
	// ErrExists is returned for an output that is there already.
	ErrExists = errors.New("exists already")
	// ErrNothingFound is returned for a folder or a pattern without input files.
	ErrNothingFound = errors.New("no input files")
	// ErrEmpty is returned for inputs that hold no record at all.
	ErrEmpty = errors.New("holds no record")
	// ErrNotAsNamed is returned for a file whose content is not what its name says.
	ErrNotAsNamed = errors.New("not what its name says")
)

func message(path string, err error, hint string) string {
	if hint == "" {
		return fmt.Sprintf("%s: %v", path, bare(err))
	}
	return fmt.Sprintf("%s: %v (%s)", path, bare(err), hint)
}

// bare takes the operation and the path out of an error of the file system,
// since the path stands before it already.
func bare(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok && err == error(pe) {
		return pe.Err
	}
	return err
}

func inputError(path string, err error) error {
	hint := ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
		hint = "check the path"
	case errors.Is(err, fs.ErrPermission):
		hint = "check who may read it"
	}
	return &InputError{path, err, hint}
}

func outputError(path string, err error) error {
	hint := ""
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		hint = "free some space or write elsewhere; nothing was left behind"
	case errors.Is(err, fs.ErrNotExist):
		hint = "make the folder first"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		hint = "write to a folder that is yours"
	case errors.Is(err, ErrExists):
		hint = "remove it, choose another name or pass --force"
	}
	return &OutputError{path, err, hint}
}
