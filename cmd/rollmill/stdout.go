package main

import (
	"bufio"
	"errors"
	"io"
	"syscall"

	"github.com/rollmill/rollmill/formats/files"
)

// stdoutName is what errors call standard output, as those of package files do.
const stdoutName = "standard output"

// stdout is standard output, buffered. Its errors are those of an output.
type stdout struct{ buf *bufio.Writer }

func newStdout(w io.Writer) *stdout { return &stdout{bufio.NewWriterSize(w, 64<<10)} }

func (o *stdout) Write(p []byte) (int, error) {
	n, err := o.buf.Write(p)
	return n, stdoutError(err)
}

// Flush writes what is in the buffer.
func (o *stdout) Flush() error { return stdoutError(o.buf.Flush()) }

func stdoutError(err error) error {
	if err == nil {
		return nil
	}
	hint := ""
	if errors.Is(err, syscall.ENOSPC) {
		hint = "free some space or write elsewhere"
	}
	return &files.OutputError{Path: stdoutName, Err: err, Hint: hint}
}
