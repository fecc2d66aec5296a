package sandbox

import (
	"bytes"
	"time"
)

// Limit names the bound at which a command ended; "" when it ended by itself.
type Limit string

// The limits. Wall, CPU, Output and Lost are seen from outside. Memory,
// Processes, FileSize, ReadOnly and Network are read from what the program
// complained about in the last lines of its standard error, or, for Processes,
// from a count while it ran: a program that swallows the error it gets ends as
// it likes.
const (
	LimitNone      Limit = ""
	LimitWall      Limit = "wall time"
	LimitCPU       Limit = "processor time"
	LimitOutput    Limit = "output"
	LimitMemory    Limit = "memory"
	LimitProcesses Limit = "processes"
	LimitFileSize  Limit = "file size"
	LimitReadOnly  Limit = "read-only files"
	LimitNetwork   Limit = "network"
	// LimitLost stands for a command that brought down what watched over it.
	LimitLost Limit = "supervisor killed"
)

// Result is how a command ended.
type Result struct {
	Exit   int    // exit code; -1 when a signal or a limit ended it
	Signal string // name of the signal that ended it, as "SIGSEGV"; "" for none
	Limit  Limit
	Level  Level  // the level that held
	Stdout []byte // at most Limits.Output bytes
	Stderr []byte // likewise
	CPU    time.Duration
	Wall   time.Duration
}

// OK reports whether the command ended by itself with exit code 0.
func (r *Result) OK() bool { return r.Exit == 0 && r.Limit == LimitNone }

// complaints are what the C library and common runtimes print at a limit.
var complaints = []struct {
	text  string
	limit Limit
}{
	{"MemoryError", LimitMemory},
	{"Cannot allocate memory", LimitMemory},
	{"std::bad_alloc", LimitMemory},
	{"out of memory", LimitMemory},
	{"Resource temporarily unavailable", LimitProcesses},
	{"can't start new thread", LimitProcesses},
	{"Cannot fork", LimitProcesses},
	{"File too large", LimitFileSize},
	{"File size limit exceeded", LimitFileSize},
	{"No space left on device", LimitFileSize},
	{"Read-only file system", LimitReadOnly},
	{"Network is unreachable", LimitNetwork},
	{socketRefused, LimitNetwork},
}

// socketRefused is what a program reads that opened a socket at Full: the
// system call filter answers with an error that nothing else gives there.
const socketRefused = "Address family not supported by protocol"

// complaint returns the limit that the last lines of a failed program's
// standard error speak of.
func complaint(stderr []byte) Limit {
	tail := bytes.TrimRight(stderr, "\n")
	for range 3 {
		cut := bytes.LastIndexByte(tail, '\n')
		line := tail[cut+1:]
		for _, c := range complaints {
			if bytes.Contains(line, []byte(c.text)) {
				return c.limit
			}
		}
		if cut < 0 {
			break
		}
		tail = tail[:cut]
	}
	return LimitNone
}
