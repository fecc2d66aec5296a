package sandbox

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// refusals are the system calls that a command at Full does not get, and the
// error it reads instead. All else is left to the namespaces and the missing
// capabilities; these reach further than a program under test has cause to.
var refusals = []struct {
	errno unix.Errno
	calls []uint32
}{
	{unix.EAFNOSUPPORT, []uint32{unix.SYS_SOCKET}},
	// ENOSYS, so that the C library falls back to clone, whose flags can be read.
	{unix.ENOSYS, []uint32{unix.SYS_CLONE3, unix.SYS_IO_URING_SETUP}},
	// Memory that belongs to no address space, and so falls under no limit.
	{unix.ENOSYS, []uint32{
		unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET, unix.SYS_SHMGET, unix.SYS_MSGGET, unix.SYS_SEMGET,
	}},
	{unix.EPERM, []uint32{
		unix.SYS_UNSHARE, unix.SYS_SETNS,
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD,
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
		unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT, unix.SYS_FSOPEN, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
		unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
		unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
	}},
}

// Offsets in the kernel's struct seccomp_data.
const (
	offsetCall = 0
	offsetArch = 4
	offsetArg0 = 16 // the low half on a little-endian machine
)

// x32Bit marks the calls of the x32 convention, which are numbered apart.
const x32Bit = 0x40000000

// refuse is the filter's answer with an error number.
func refuse(errno unix.Errno) bpf.RetConstant {
	return bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(errno)}
}

// nativeArch is how the kernel names the calls of this machine's own binaries.
func nativeArch() (uint32, error) {
	switch runtime.GOARCH {
	case "amd64":
		return unix.AUDIT_ARCH_X86_64, nil
	case "arm64":
		return unix.AUDIT_ARCH_AARCH64, nil
	}
	return 0, fmt.Errorf("no system call filter for %s", runtime.GOARCH)
}

// filterProgram returns the filter: refuse foreign calling conventions, refuse
// the calls above and new user namespaces, allow the rest.
func filterProgram() ([]bpf.Instruction, error) {
	arch, err := nativeArch()
	if err != nil {
		return nil, err
	}
	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: offsetArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: arch, SkipTrue: 1},
		refuse(unix.ENOSYS),
		bpf.LoadAbsolute{Off: offsetCall, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpLessThan, Val: x32Bit, SkipTrue: 1},
		refuse(unix.ENOSYS),
	}
	for _, r := range refusals {
		for _, call := range r.calls {
			program = append(program,
				bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: call, SkipTrue: 1},
				refuse(r.errno))
		}
	}
	return append(program,
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_CLONE, SkipTrue: 3},
		bpf.LoadAbsolute{Off: offsetArg0, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpBitsNotSet, Val: unix.CLONE_NEWUSER, SkipTrue: 1},
		refuse(unix.EPERM),
		bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW},
	), nil
}

// installFilter binds the calling thread, and what it executes, to the filter.
func installFilter() error {
	program, err := filterProgram()
	if err != nil {
		return err
	}
	raw, err := bpf.Assemble(program)
	if err != nil {
		return fmt.Errorf("system call filter: %w", err)
	}
	code := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		code[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	prog := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	if _, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog))); errno != 0 {
		return fmt.Errorf("system call filter: %w", errno)
	}
	return nil
}
