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

	// Unsynced leaves it to the system when the bytes reach the disk: for files that
	// can be made again after a loss of power.
	Unsynced bool

	started int64    // of Written: its way to the disk has begun
	file    *os.File // nil when it is closed
	target  string   // where Path leads when it is a link
	partial string   // "" when written in place: standard output, a device, a pipe
	replace bool
}

// Create starts an output. A file that is there already is ErrExists, unless
// replace is set; then the new file gets its permissions, and a link leads to
// it still. "-" is standard output, which is written as it comes, and so are
// devices and pipes.
func Create(path string, replace bool) (*Output, error) {
	if path == Stdin {
		return &Output{Path: "standard output", file: os.Stdout}, nil
	}
	o := &Output{Path: path, target: path, replace: replace}
	mode := os.FileMode(0o666)
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		if o.target, err = filepath.EvalSymlinks(path); err != nil {
			return nil, &OutputError{path, errors.New("is a link that leads nowhere"), "remove it or choose another name"}
		}
		info, err = os.Lstat(o.target)
	}
	switch {
	case err == nil && info.IsDir():
		return nil, &OutputError{path, errors.New("is a folder"), "name a file in it"}
	case err == nil && !info.Mode().IsRegular():
		if o.file, err = os.OpenFile(path, os.O_WRONLY, 0); err != nil {
			return nil, outputError(path, err)
		}
		return o, nil
	case err == nil && !replace:
		return nil, outputError(path, ErrExists)
	case err == nil:
		mode = info.Mode().Perm()
	}
	if err := o.open(mode); err != nil {
		return nil, outputError(path, err)
	}
	return o, nil
}

// open makes the partial file under a name that nobody else has: two runs may
// have the same process id, in containers that share a folder.
func (o *Output) open(mode os.FileMode) error {
	dir, base := filepath.Split(o.target)
	if len(base) > 200 {
		base = base[:200] // leave room in a name of at most 255 bytes
	}
	for n := 0; ; n++ {
		name := dir + "." + base + "." + strconv.Itoa(os.Getpid()) + "-" + strconv.Itoa(n) + ".partial"
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		o.file, o.partial = f, name
		return err
	}
}

// Write writes to the file.
func (o *Output) Write(p []byte) (int, error) {
	n, err := o.file.Write(p)
	o.Written += int64(n)
	if err != nil {
		return n, outputError(o.Path, err)
	}
	if o.partial != "" && o.Written-o.started >= ahead {
		startWriting(o.file)
		o.started = o.Written
	}
	return n, nil
}

// ahead is after how many bytes what was written is sent to the disk: while the rest
// is made, and not all at once in the end, when somebody waits for it.
const ahead = 32 << 20

// Finish stores the file, which must not be written to any more. It still has
// its hidden name, and holds no file descriptor.
func (o *Output) Finish() error {
	if o.file == nil {
		return nil
	}
	f := o.file
	o.file = nil
	if f == os.Stdout {
		return nil
	}
	var err error
	switch {
	case o.partial == "":
	case o.Unsynced:
		startWriting(f)
	default:
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		o.discard()
		return outputError(o.Path, err)
	}
	return nil
}

// Commit stores the file and gives it its final name. After an error nothing
// is left of it.
func (o *Output) Commit() error {
	if err := o.Finish(); err != nil || o.partial == "" {
		return err
	}
	var err error
	if o.replace {
		err = os.Rename(o.partial, o.target)
	} else if err = os.Link(o.partial, o.target); err == nil { // unlike Rename it replaces nothing
		os.Remove(o.partial)
	} else if !errors.Is(err, os.ErrExist) { // a file system without links
		if _, statErr := os.Lstat(o.target); statErr == nil {
			err = ErrExists
		} else {
			err = os.Rename(o.partial, o.target)
		}
	}
	if errors.Is(err, os.ErrExist) {
		err = ErrExists
	}
	if err != nil {
		o.discard()
		return outputError(o.Path, err)
	}
	o.partial = ""
	return nil
}

// Abort removes what was written. It does nothing after Commit.
func (o *Output) Abort() {
	if o.file != nil && o.file != os.Stdout {
		o.file.Close()
	}
	o.file = nil
	o.discard()
}

func (o *Output) discard() {
	if o.partial != "" {
		os.Remove(o.partial)
		o.partial = ""
	}
}
