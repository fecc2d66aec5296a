package decontaminate

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime is what the process has used of its cores, which unlike the time on
// the wall does not depend on who else runs.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cpuRate reports, when its result is called, how many megabytes one core does
// in a second: defer cpuRate(b, bytesOfAnIteration)().
func cpuRate(b *testing.B, size int) func() {
	start := cpuTime()
	return func() {
		used := (cpuTime() - start).Seconds()
		b.ReportMetric(float64(size)*float64(b.N)/1e6/used, "MB/cpu-s")
	}
}
