package sandbox

import (
	"fmt"
	"math"
	"unsafe"

	"golang.org/x/sys/unix"
)

// giveUpRights drops what the command shall not have: at both levels the way
// to more rights, at Full also the rights over its own namespaces.
func giveUpRights(o order) error {
	if o.Level == Full {
		for c := range uintptr(64) {
			// EINVAL: beyond the last capability that this kernel knows.
			if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil && err != unix.EINVAL {
				return fmt.Errorf("giving up capability %d: %w", c, err)
			}
		}
		if o.UID != 0 {
			if err := become(o.UID); err != nil {
				return fmt.Errorf("becoming user %d: %w", o.UID, err)
			}
		}
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var none [2]unix.CapUserData
		if err := unix.Capset(&header, &none[0]); err != nil {
			return fmt.Errorf("giving up capabilities: %w", err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	if o.Level == Full {
		return installFilter()
	}
	return nil
}

// hideDescriptors keeps the command from all files but its standard ones: the
// helper's own, and those that whoever started the caller left open for it.
func hideDescriptors() error {
	err := unix.CloseRange(orderFD, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC)
	if err == unix.ENOSYS || err == unix.EINVAL { // before Linux 5.11
		return hideListed("/proc/self/fd")
	}
	return err
}

// become makes the calling thread, which is about to execute, another user
// without groups.
func become(uid int) error {
	var group uint32
	if _, _, errno := unix.RawSyscall(unix.SYS_SETGROUPS, 0, uintptr(unsafe.Pointer(&group)), 0); errno != 0 {
		return errno
	}
	id := uintptr(uid)
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESGID, id, id, id); errno != 0 {
		return errno
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, id, id, id); errno != 0 {
		return errno
	}
	return nil
}
