package sandbox

import (
	"encoding/binary"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// execute sets the last limits and becomes the program at path; it returns only
// what keeps it from trying. A Go program has more address space than most limits
// allow, and dies when it then needs more, or a thread where no more processes are
// allowed. So nothing is allocated from the first of them on, and no call lets go
// of the one processor (GOMAXPROCS is 1) without which the runtime starts no
// thread; a refusal is reported from here.
func execute(path string, argv, env []string, last [2]ceiling) error {
	program, err := syscall.BytePtrFromString(path)
	if err != nil {
		return err
	}
	args, err := syscall.SlicePtrFromStrings(argv)
	if err != nil {
		return err
	}
	vars, err := syscall.SlicePtrFromStrings(env)
	if err != nil {
		return err
	}
	var limits [len(last)]unix.Rlimit
	for i, c := range last {
		if err := unix.Getrlimit(c.which, &limits[i]); err != nil {
			return err
		}
		limits[i] = unix.Rlimit{Cur: min(c.value, limits[i].Max), Max: min(c.value, limits[i].Max)}
	}
	report := [3]byte{refusedMark}
	for i := range last {
		if _, _, errno := unix.RawSyscall6(unix.SYS_PRLIMIT64, 0, uintptr(last[i].which), uintptr(unsafe.Pointer(&limits[i])), 0, 0, 0); errno != 0 {
			return errno
		}
	}
	_, _, errno := unix.RawSyscall(unix.SYS_EXECVE,
		uintptr(unsafe.Pointer(program)), uintptr(unsafe.Pointer(&args[0])), uintptr(unsafe.Pointer(&vars[0])))
	binary.LittleEndian.PutUint16(report[1:], uint16(errno))
	_, _, _ = unix.RawSyscall(unix.SYS_WRITE, reportFD, uintptr(unsafe.Pointer(&report[0])), uintptr(len(report)))
	_, _, _ = unix.RawSyscall(unix.SYS_EXIT_GROUP, 1, 0, 0)
	return errno
}
