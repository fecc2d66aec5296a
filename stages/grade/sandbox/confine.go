//go:build linux || darwin

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// defaultEnv is the environment of a command that names none.
func defaultEnv(home string) []string {
	return []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home, "TMPDIR=" + home, "LANG=C.UTF-8"}
}

// helperThreads are what the supervisor counts as, where it is the same user
// as the command.
const helperThreads = 16

// confine turns the calling process into the command, within its limits. It
// returns only when that failed.
func confine(o order) error {
	runtime.LockOSThread() // rights are a thread's; the one that executes keeps its own
	limits := []struct {
		name       string
		which      int
		soft, hard uint64
	}{
		{"core size", unix.RLIMIT_CORE, 0, 0},
		{"open files", unix.RLIMIT_NOFILE, 256, 256},
		{"file size", unix.RLIMIT_FSIZE, uint64(o.Limits.FileSize), uint64(o.Limits.FileSize)},
		{"processor time", unix.RLIMIT_CPU, wholeSeconds(o.Limits.CPU), wholeSeconds(o.Limits.CPU) + 1},
	}
	home, err := os.Getwd()
	if err != nil {
		return err
	}
	env := o.Command.Env
	if env == nil {
		env = defaultEnv(home)
	}
	argv := append([]string{o.Command.Path}, o.Command.Args...)
	if err := hideDescriptors(); err != nil {
		return fmt.Errorf("closing inherited files: %w", err)
	}
	for _, l := range limits {
		if err := setLimit(l.which, l.soft, l.hard); err != nil {
			return fmt.Errorf("limit of %s: %w", l.name, err)
		}
	}
	if err := giveUpRights(o); err != nil {
		return err
	}
	if o.Probe {
		return errProbed
	}
	err = execute(o.Command.Path, argv, env, [2]ceiling{
		{unix.RLIMIT_NPROC, o.processes()},
		{unix.RLIMIT_AS, uint64(o.Limits.Memory)},
	})
	return fmt.Errorf("%s: %w", o.Command.Path, err)
}

// ceiling is a limit, soft and hard alike, that a Go program may not survive.
type ceiling struct {
	which int
	value uint64
}

// refusal says why an order's command was not executed.
func refusal(o order, err unix.Errno) error {
	if o.Level == Full && err == unix.ENOENT {
		return fmt.Errorf("%s: %w in there: it, or what it needs, lies outside of the system's folders and is not among what is Readable", o.Command.Path, err)
	}
	return fmt.Errorf("%s: %w", o.Command.Path, err)
}

// hideListed closes the files that a folder lists by number, when the command
// takes the place of the helper.
func hideListed(folder string) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, f := range files {
		if fd, err := strconv.Atoi(f.Name()); err == nil && fd >= orderFD {
			unix.CloseOnExec(fd)
		}
	}
	return nil
}

// errProbed ends a probe that reached the point where the command would start.
var errProbed = errors.New("probed")

// processes is the limit to set, for a user's processes are counted and the
// supervisor is one where it cannot be another user.
func (o *order) processes() uint64 {
	n := uint64(o.Limits.Processes)
	if o.Level == Full && o.UID == 0 {
		n += helperThreads
	}
	return n
}

// wholeSeconds rounds up to the unit in which processor time is limited.
func wholeSeconds(d time.Duration) uint64 {
	return uint64((d + time.Second - 1) / time.Second)
}

// setLimit sets a resource limit, or as much of it as the caller may.
func setLimit(which int, soft, hard uint64) error {
	var now unix.Rlimit
	if err := unix.Getrlimit(which, &now); err != nil {
		return err
	}
	return unix.Setrlimit(which, &unix.Rlimit{Cur: min(soft, now.Max), Max: min(hard, now.Max)})
}
