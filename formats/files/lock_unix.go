//go:build linux || darwin

package files

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Lock locks a file for as long as it is open, which ends with the process at the
// latest, in whatever way that ends. It does not wait: a lock that is held elsewhere is
// ErrLocked. File systems that know no locks are errors.ErrUnsupported.
func Lock(f *os.File) error {
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrLocked
		case errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOLCK):
			return errors.ErrUnsupported
		default:
			return err
		}
	}
}

// Owned reports whether a file is that of the user of this process.
func Owned(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
