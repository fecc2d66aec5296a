package sandbox

import (
	"encoding/binary"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// execute limits the address space and becomes the program at path; it returns
// only what keeps it from trying. A Go program has more address space than most
// limits allow, and one that needs more of it after the limit was set dies. So
// nothing is allocated after that, and a refusal is reported from here.
func execute(path string, argv, env []string, memory uint64) error {
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
	var now unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &now); err != nil {
		return err
	}
	report := [3]byte{refusedMark}
	limit := unix.Rlimit{Cur: min(memory, now.Max), Max: min(memory, now.Max)}
	if _, _, errno := unix.RawSyscall6(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_AS, uintptr(unsafe.Pointer(&limit)), 0, 0, 0); errno != 0 {
		return errno
	}
	_, _, errno := unix.RawSyscall(unix.SYS_EXECVE,
		uintptr(unsafe.Pointer(program)), uintptr(unsafe.Pointer(&args[0])), uintptr(unsafe.Pointer(&vars[0])))
	binary.LittleEndian.PutUint16(report[1:], uint16(errno))
	_, _, _ = unix.RawSyscall(unix.SYS_WRITE, reportFD, uintptr(unsafe.Pointer(&report[0])), uintptr(len(report)))
	_, _, _ = unix.RawSyscall(unix.SYS_EXIT_GROUP, 1, 0, 0)
	return errno
}
