package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/sandbox"
	"github.com/rollmill/rollmill/stages/grade/verify"
	"github.com/rollmill/rollmill/stream"
)

func TestVerdict(t *testing.T) {
	pipe := &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
	for _, c := range []struct {
		name string
		err  error
		code int
		line string
	}{
		{"done", nil, 0, ""},
		{"usage", usagef("--limit %d: want at least 1", -1), 2, "--limit -1: want at least 1"},
		{"input", &files.InputError{Path: "a.jsonl", Err: files.ErrEmpty, Hint: "want at least one rollout"}, 3, "a.jsonl: holds no record (want at least one rollout)"},
		{"record", &jsonl.RecordError{File: "a.jsonl", Record: 7, Code: "bad_json", Detail: "byte 3"}, 3, "a.jsonl:7: bad_json: byte 3"},
		{"output", &files.OutputError{Path: "b.jsonl", Err: syscall.ENOSPC}, 5, "b.jsonl: no space left on device"},
		{"closed standard output", &files.OutputError{Path: "standard output", Err: pipe}, 0, ""},
		{"closed pipe that is a file", &files.OutputError{Path: "fifo", Err: pipe}, 5, "fifo: broken pipe"},
		{"interrupted", fmt.Errorf("stream: %w", context.Canceled), 130, "interrupted; no file was left half-written"},
		{"interrupted while waiting for input", &stream.StuckError{Cause: fmt.Errorf("stream: %w", context.Canceled)}, 130, "interrupted; no file was left half-written"},
		{"a grader that fails", fmt.Errorf("x: %w", &grade.BudgetError{Grader: "judge", Budget: 2, Status: rollout.StatusTimeout, Detail: "no answer within 1s"}), 4,
			"x: grade: judge failed on 3 rows, more than the 2 it may; on the last with timeout: no answer within 1s (--max-failures allows more)"},
		{"no interpreter", fmt.Errorf("%w: python3", verify.ErrNoInterpreter), 4, "the interpreter is not installed: python3"},
		{"no isolation", fmt.Errorf("%w: full", sandbox.ErrIsolation), 4, "this system does not allow the isolation: full"},
		{"panic", &stream.PanicError{Value: "boom"}, 70, "panic: boom (a fault of rollmill itself; please report it)"},
		{"several lines, escapes", errors.New("stream: a\n\x1b[2J  b"), 70, `a\n\x1b[2J  b`},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, line := verdict(c.err)
			if code != c.code || line != c.line {
				t.Errorf("got %d %q, want %d %q", code, line, c.code, c.line)
			}
		})
	}
}

func TestCause(t *testing.T) {
	boom := errors.New("boom")
	for _, c := range []struct{ err, want error }{
		{nil, nil},
		{boom, boom},
		{&stream.StageError{Stage: "read", Seq: -1, Item: -1, Err: &stream.StageError{Err: boom}}, boom},
		{&stream.StuckError{}, nil}, // the sink wanted no more, and input still waits
	} {
		if got := cause(c.err); got != c.want {
			t.Errorf("%v: %v, want %v", c.err, got, c.want)
		}
	}
}

// A record that was lost is a fault, whatever else went well.
func TestSummaryMustAddUp(t *testing.T) {
	s := summary{In: 10, Written: 7, LeftOut: 1, Quarantined: 2, Rejects: []codeCount{{"bad_json", 2}}}
	if err := s.check(); err != nil {
		t.Error(err)
	}
	s.Written--
	if code, line := verdict(s.check()); code != exitFault || line != "records were lost: in 10 = written 6 + left out 1 + quarantined 2, 2 refused (a fault of rollmill itself; please report it)" {
		t.Errorf("%d %s", code, line)
	}
}
