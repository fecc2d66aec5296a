package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/sandbox"
	"github.com/rollmill/rollmill/stages/grade/verify"
	"github.com/rollmill/rollmill/stream"
)

// The exit codes; the help of the program explains them.
const (
	exitDone        = 0
	exitUsage       = 2
	exitBadInput    = 3
	exitBackend     = 4
	exitOutput      = 5
	exitNothingKept = 6
	exitFault       = 70
	exitInterrupted = 130
)

// commandError is an error with its exit code.
type commandError struct {
	code int
	text string
}

func (e *commandError) Error() string { return e.text }

// usagef says what is wrong with the command line.
func usagef(format string, args ...any) error {
	return &commandError{exitUsage, fmt.Sprintf(format, args...)}
}

// verdict turns the error of a run into the exit code and the line to print, ""
// for none.
func verdict(err error) (code int, line string) {
	var (
		command *commandError
		input   *files.InputError
		record  *jsonl.RecordError
		group   *parquet.GroupError
		output  *files.OutputError
		failed  *stream.PanicError
		grader  *grade.BudgetError
	)
	switch {
	case err == nil:
		return exitDone, ""
	case errors.Is(err, context.Canceled):
		return exitInterrupted, "interrupted; no file was left half-written"
	case errors.As(err, &output):
		if output.Path == stdoutName && errors.Is(err, syscall.EPIPE) {
			return exitDone, ""
		}
		return exitOutput, oneLine(output)
	case errors.As(err, &input):
		return exitBadInput, oneLine(input)
	case errors.As(err, &record):
		return exitBadInput, oneLine(record)
	case errors.As(err, &group):
		return exitBadInput, oneLine(group)
	case errors.Is(err, arrowipc.ErrTooLong), errors.Is(err, parquet.ErrTooLong):
		return exitOutput, oneLine(err)
	case errors.As(err, &command):
		return command.code, oneLine(command)
	case errors.As(err, &grader):
		return exitBackend, oneLine(err) + " (--max-failures allows more)"
	case errors.Is(err, verify.ErrNoInterpreter), errors.Is(err, sandbox.ErrIsolation):
		return exitBackend, oneLine(err)
	case errors.As(err, &failed):
		return exitFault, oneLine(err) + " (a fault of rollmill itself; please report it)"
	}
	return exitFault, oneLine(err)
}

// oneLine is the text of an error on one line, safe to print.
func oneLine(err error) string { return clean(bare(err)) }

// bare is the text of an error without the name of the package that says it.
func bare(err error) string {
	text := err.Error()
	for _, prefix := range []string{"dialect: ", "rollout: ", "jsonl: ", "files: ", "arrowipc: ", "parquet: ", "stream: ", "grade: ", "verify: ", "sandbox: ", "simulate: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return text
}
