package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/rollmill/rollmill/formats/files"
)

// spool is the inputs of a run that reads them twice: what can be read once, as
// standard input and pipes, stands in temporary files.
type spool struct {
	args   []string
	copies map[string]string // what a temporary file is a copy of
}

// newSpool copies what can be read once into a folder, the system's own for
// temporary files if it is "".
func newSpool(ctx context.Context, args []string, folder string) (*spool, error) {
	s := &spool{args: slices.Clone(args), copies: map[string]string{}}
	for i, arg := range args {
		info, err := os.Stat(arg)
		if arg != files.Stdin && (err != nil || info.IsDir() || info.Mode().IsRegular()) {
			continue
		}
		path, err := s.copy(ctx, arg, folder)
		if err != nil {
			s.remove()
			return nil, err
		}
		s.args[i] = path
	}
	return s, nil
}

func (s *spool) copy(ctx context.Context, arg, folder string) (path string, err error) {
	from := os.Stdin
	if arg != files.Stdin {
		if from, err = os.Open(arg); err != nil {
			return "", &files.InputError{Path: arg, Err: err}
		}
		defer from.Close()
	}
	to, err := os.CreateTemp(folder, "rollmill-*.spool")
	if err != nil {
		return "", s.failed(arg, err)
	}
	s.copies[to.Name()] = arg
	_, err = io.Copy(to, &untilDone{ctx, from})
	if err = errors.Join(err, to.Close()); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", s.failed(arg, err)
	}
	return to.Name(), nil
}

func (s *spool) failed(arg string, err error) error {
	return &files.OutputError{Path: "the spool of " + inputName(arg), Err: err, Hint: "name another folder with --tmp"}
}

// untilDone reads until a context is done.
type untilDone struct {
	ctx  context.Context
	from io.Reader
}

func (r *untilDone) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.from.Read(p)
}

// name is what an input is called: a temporary file by what it is a copy of.
func (s *spool) name(path string) string {
	if of, ok := s.copies[path]; ok {
		return of
	}
	return path
}

// rename calls inputs in an error by their names.
func (s *spool) rename(err error) error {
	if input, ok := errors.AsType[*files.InputError](err); ok {
		input.Path = inputName(s.name(input.Path))
	}
	return err
}

// remove deletes the temporary files.
func (s *spool) remove() {
	for path := range s.copies {
		os.Remove(path)
	}
}
