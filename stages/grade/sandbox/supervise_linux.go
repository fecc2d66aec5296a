package sandbox

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lookEvery is how often the supervisor counts processes.
const lookEvery = 10 * time.Millisecond

// supervise is the first process of the namespaces: it builds what the command
// sees, starts it, waits for it and for what it leaves behind, and reports.
// When it ends, by itself or because the caller is gone, the kernel ends all
// else in there.
func supervise(o order, orders, reports *os.File) error {
	if err := buildRoot(o); err != nil {
		return err
	}
	pid, instead, err := startConfined(o)
	if err != nil {
		return err
	}
	if instead != nil {
		_, _ = unix.Wait4(pid, nil, 0, nil)
		writeReport(reports, *instead)
		return nil
	}
	writeStarted(reports)
	r, err := watch(pid, o, int(orders.Fd()))
	if err != nil {
		return err
	}
	writeReport(reports, r)
	return nil
}

// startConfined starts this binary again, to confine itself and become the
// command, and waits until it has: instead is what the part reports when it has
// not.
func startConfined(o order) (pid int, instead *report, err error) {
	ordersIn, ordersOut, err := os.Pipe()
	if err != nil {
		return 0, nil, err
	}
	reportsIn, reportsOut, err := os.Pipe()
	if err != nil {
		return 0, nil, err
	}
	null, err := os.Open("/dev/null")
	if err != nil {
		return 0, nil, err
	}
	pid, err = syscall.ForkExec(selfPath, []string{helperName, partConfine}, &syscall.ProcAttr{
		Env:   helperEnv,
		Files: []uintptr{null.Fd(), 1, 2, ordersIn.Fd(), reportsOut.Fd()},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return 0, nil, fmt.Errorf("starting the confined part: %w", err)
	}
	ordersIn.Close()
	reportsOut.Close()
	o.Command.Files = nil // they are in place
	if err := writeOrder(ordersOut, o); err != nil {
		return 0, nil, err
	}
	// The pipe ends when the command has taken the place of the part.
	r, err := readReport(reportsIn, o)
	reportsIn.Close()
	ordersOut.Close()
	if errors.Is(err, errNoReport) {
		return pid, nil, nil
	}
	return pid, &r, err
}

// watch waits for the command and buries what else dies meanwhile.
func watch(pid int, o order, orders int) (report, error) {
	var r report
	// A signal when the command ends, where the kernel has one; the poll ends
	// after lookEvery in any case. A negative descriptor is left out of it.
	end, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		end = -1
	}
	looked := time.Now()
	for over := looked.Add(o.Limits.Wall); ; {
		var status unix.WaitStatus
		var usage unix.Rusage
		dead, err := unix.Wait4(-1, &status, unix.WNOHANG, &usage)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return r, fmt.Errorf("waiting: %w", err)
		case dead == pid:
			r.CPU = usage.Utime.Nano() + usage.Stime.Nano()
			r.Exit, r.Signal = status.ExitStatus(), ""
			if status.Signaled() {
				r.Exit, r.Signal = -1, unix.SignalName(status.Signal())
			}
			return r, nil
		case dead > 0 && time.Since(looked) < lookEvery:
			continue // but orphans that die without end shall not keep it from looking
		}
		looked = time.Now()
		if processes() >= o.Limits.Processes {
			r.Crowd = true
		}
		if time.Now().After(over) {
			r.Exit, r.Wall = -1, true
			return r, nil
		}
		// The end of the orders is the end of the caller.
		fds := []unix.PollFd{{Fd: int32(orders), Events: unix.POLLIN}, {Fd: int32(end), Events: unix.POLLIN}}
		if _, err := unix.Poll(fds, int(lookEvery.Milliseconds())); err == nil && fds[0].Revents != 0 {
			return r, errors.New("the caller is gone")
		}
	}
}

// processes counts what runs beside the supervisor; 0 where /proc is missing.
func processes() int {
	dir, err := os.Open("/proc")
	if err != nil {
		return 0
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return 0
	}
	n := -1
	for _, name := range names {
		if _, err := strconv.Atoi(name); err == nil {
			n++
		}
	}
	return max(n, 0)
}
