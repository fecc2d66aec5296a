package sandbox

import (
	"errors"
	"fmt"
	"path/filepath"
)

// Command is what a Box runs: a program and its arguments, never a line for a
// shell.
type Command struct {
	// Path is the absolute path of the program. At Full it lies in a folder of
	// the system's, or in what is Readable.
	Path string
	// Args are the arguments after the program's name.
	Args []string
	// Env is the whole environment; nil stands for PATH, HOME, TMPDIR and
	// LANG alone.
	Env []string
	// Files are written into the working folder before the start. Standard
	// input is empty.
	Files []File
	// Readable are absolute paths of folders and files outside the system's own
	// that the command needs, such as where an interpreter is installed. At
	// Full they can be read and not written; at Weak they change nothing.
	Readable []string
}

// File is a file of the working folder. Its name is a plain one, without a
// folder.
type File struct {
	Name string
	Data []byte
}

// ErrCommand is wrapped when a Command cannot be run as it stands.
var ErrCommand = errors.New("sandbox: not a command")

func (c *Command) check() error {
	if !filepath.IsAbs(c.Path) {
		return fmt.Errorf("%w: program %q; want an absolute path", ErrCommand, c.Path)
	}
	for _, path := range c.Readable {
		if !filepath.IsAbs(path) {
			return fmt.Errorf("%w: readable %q; want an absolute path", ErrCommand, path)
		}
	}
	for _, f := range c.Files {
		if f.Name == "" || f.Name == "." || f.Name == ".." || filepath.Base(f.Name) != f.Name {
			return fmt.Errorf("%w: file %q; want a plain name", ErrCommand, f.Name)
		}
	}
	return nil
}
