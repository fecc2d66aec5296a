package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stream"
)

// spool is the inputs of a run that reads them twice: what can be read once, as
// standard input and pipes, stands in temporary files.
type spool struct {
	args    []string
	copies  map[string]string // what a temporary file is a copy of
	locks   []*os.File        // of the temporary files
	folders []string          // in which they stand, to be removed when nothing is left in them
}

// newSpool copies what can be read once into a folder, the system's own for
// temporary files if it is "". What runs left there that were killed is cleared away.
func newSpool(ctx context.Context, args []string, folder string) (*spool, error) {
	s := &spool{}
	return s, s.fill(ctx, args, folder)
}

// spoolWithin is newSpool of a run that has a folder out, in which the copies stand: who
// removes it has removed them too.
func spoolWithin(ctx context.Context, args []string, out string) (*spool, error) {
	folder := curate.InputsDir(out)
	clearCopies(folder)
	s := &spool{}
	if slices.ContainsFunc(args, readOnce) {
		s.folders = []string{folder, filepath.Dir(folder)}
		if !exists(out) {
			s.folders = append(s.folders, out)
		}
		if err := os.MkdirAll(folder, 0o777); err != nil {
			s.remove()
			return nil, &files.OutputError{Path: folder, Err: bareOS(err)}
		}
	}
	return s, s.fill(ctx, args, folder)
}

// readOnce reports whether an input can be read once.
func readOnce(arg string) bool {
	if arg == files.Stdin {
		return true
	}
	info, err := os.Stat(arg)
	return err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// fill makes the copies. After an error none is left.
func (s *spool) fill(ctx context.Context, args []string, folder string) error {
	s.args, s.copies = slices.Clone(args), map[string]string{}
	for i, arg := range args {
		if !readOnce(arg) {
			continue
		}
		if len(s.copies) == 0 {
			clearCopies(cmp.Or(folder, os.TempDir()))
		}
		path, err := s.copy(ctx, arg, folder)
		if err != nil {
			s.remove()
			return err
		}
		s.args[i] = path
	}
	return nil
}

func (s *spool) copy(ctx context.Context, arg, folder string) (path string, err error) {
	from := os.Stdin
	if arg != files.Stdin {
		if from, err = os.Open(arg); err != nil {
			return "", &files.InputError{Path: arg, Err: err}
		}
		defer from.Close()
	}
	to, lock, err := makeCopy(folder)
	if err != nil {
		return "", s.failed(arg, err)
	}
	s.copies[to.Name()], s.locks = arg, append(s.locks, lock)
	defer to.Close()
	_, err = stream.Run(ctx, stream.To(pieces(arg, from), stream.SinkFunc[[]byte](func(ctx context.Context, in <-chan stream.Batch[[]byte]) error {
		for b, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			if _, err = to.Write(b.Items[0]); err != nil {
				return s.failed(arg, err)
			}
		}
		if err := to.Close(); err != nil {
			return s.failed(arg, err)
		}
		return nil
	}), stream.Name("spool")))
	return to.Name(), err
}

func (s *spool) failed(arg string, err error) error {
	return &files.OutputError{Path: "the spool of " + inputName(arg), Err: err, Hint: "name another folder with --tmp"}
}

// pieceSize is how much of an input that can be read once is read in one go.
const pieceSize = 1 << 18

// pieces reads an input. Whoever waits for it is not held up by one that is
// silent: the flow leaves a call behind that does not return.
func pieces(arg string, from io.Reader) stream.Flow[[]byte] {
	return stream.From(stream.SourceFunc[[]byte](func(ctx context.Context, out chan<- stream.Batch[[]byte]) error {
		for {
			piece := make([]byte, pieceSize)
			n, err := from.Read(piece)
			if n > 0 {
				if err := stream.Send(ctx, out, stream.Batch[[]byte]{Items: [][]byte{piece[:n]}}); err != nil {
					return err
				}
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return &files.InputError{Path: inputName(arg), Err: err}
			}
		}
	}), stream.Name("once"))
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
	for _, lock := range s.locks {
		lock.Close()
	}
	for _, folder := range s.folders {
		os.Remove(folder) // unless something stands in it
	}
	s.locks = nil
}
