package sandbox

import (
	"errors"
	"fmt"
	"time"
)

// Limits bound what one run of a command may use. All must be positive.
type Limits struct {
	Wall      time.Duration // from start to end
	CPU       time.Duration // processor time a process, rounded up to seconds
	Memory    int64         // address space a process, in bytes
	FileSize  int64         // the largest file, and at Full all files together, in bytes
	Processes int           // processes and threads at once
	Output    int           // standard output and standard error, each, in bytes
}

// DefaultLimits returns 10 s of wall and of processor time and 512 MiB a
// process, as the reference implementation has them (spec of rows, section
// 3.4), 64 MiB of files, 32 processes and 64 KiB of output.
func DefaultLimits() Limits {
	return Limits{
		Wall:      10 * time.Second,
		CPU:       10 * time.Second,
		Memory:    512 << 20,
		FileSize:  64 << 20,
		Processes: 32,
		Output:    64 << 10,
	}
}

// ErrLimits is wrapped when a limit is not positive.
var ErrLimits = errors.New("sandbox: limits must be positive")

func (l Limits) check() error {
	if l.Wall <= 0 || l.CPU <= 0 || l.Memory <= 0 || l.FileSize <= 0 || l.Processes <= 0 || l.Output <= 0 {
		return fmt.Errorf("%w: %+v", ErrLimits, l)
	}
	return nil
}
