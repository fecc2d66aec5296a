//go:build linux || darwin

package curate

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFileOf locks a file for as long as it is open. File systems that know no locks
// keep nobody out.
func lockFileOf(f *os.File) error {
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrBusy
		case errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOLCK):
			return nil
		default:
			return err
		}
	}
}

// freeBytes is how much room there is in a folder, and the file system that it is of.
func freeBytes(dir string) (free int64, system uint64, ok bool) {
	var fs unix.Statfs_t
	var at unix.Stat_t
	if unix.Statfs(dir, &fs) != nil || unix.Stat(dir, &at) != nil {
		return 0, 0, false
	}
	return int64(fs.Bavail) * int64(fs.Bsize), uint64(at.Dev), true
}
