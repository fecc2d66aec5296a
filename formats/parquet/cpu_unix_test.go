//go:build unix

package parquet_test

import (
	"syscall"
	"time"
)

// cpuTime is what the process has used of all cores, which a busy machine
// stretches less than the time on the wall.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
