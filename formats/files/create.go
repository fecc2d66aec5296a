package files

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
)

// Output is a file that is being written. It stands in its folder under a
// hidden name until Commit gives it its own, so that a reader never sees half
// of it. It is not safe for concurrent use.
type Output struct {
	Path    string
	Written int64

	file    *os.File
	partial string // "" when written in place: standard output, a device, a pipe
	replace bool
}

// Create starts an output. A file that is there already is ErrExists, unless
// replace is set. "-" is standard output, which is written as it comes, and so
// are devices and pipes.
func Create(path string, replace bool) (*Output, error) {
	if path == Stdin {
		return &Output{Path: "standard output", file: os.Stdout}, nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, &OutputError{path, errors.New("is a folder"), "name a file in it"}
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, outputError(path, err)
		}
		return &Output{Path: path, file: f}, nil
	case err == nil && !replace:
		return nil, outputError(path, ErrExists)
	}
	partial := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+strconv.Itoa(os.Getpid())+".partial")
	f, err := os.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, outputError(path, err)
	}
	return &Output{Path: path, file: f, partial: partial, replace: replace}, nil
}

// Write writes to the file.
func (o *Output) Write(p []byte) (int, error) {
	n, err := o.file.Write(p)
	o.Written += int64(n)
	if err != nil {
		return n, outputError(o.Path, err)
	}
	return n, nil
}

// Commit stores the file and gives it its final name. After an error nothing
// is left of it.
func (o *Output) Commit() error {
	if o.file == nil {
		return nil
	}
	if o.partial == "" {
		return o.release()
	}
	err := o.file.Sync()
	err = errors.Join(err, o.file.Close())
	o.file = nil
	if err == nil && !o.replace {
		if _, statErr := os.Lstat(o.Path); statErr == nil {
			err = ErrExists
		}
	}
	if err == nil {
		err = os.Rename(o.partial, o.Path)
	}
	if err != nil {
		os.Remove(o.partial)
		return outputError(o.Path, err)
	}
	return nil
}

// Abort removes what was written. It does nothing after Commit.
func (o *Output) Abort() {
	if o.file == nil {
		return
	}
	o.release()
	if o.partial != "" {
		os.Remove(o.partial)
	}
}

func (o *Output) release() error {
	f := o.file
	o.file = nil
	if f == os.Stdout {
		return nil
	}
	if err := f.Close(); err != nil {
		return outputError(o.Path, err)
	}
	return nil
}
