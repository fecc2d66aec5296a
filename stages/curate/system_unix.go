//go:build linux || darwin

package curate

import "golang.org/x/sys/unix"

// freeBytes is how much room there is in a folder, and the file system that it is of.
func freeBytes(dir string) (free int64, system uint64, ok bool) {
	var fs unix.Statfs_t
	var at unix.Stat_t
	if unix.Statfs(dir, &fs) != nil || unix.Stat(dir, &at) != nil {
		return 0, 0, false
	}
	return int64(fs.Bavail) * int64(fs.Bsize), uint64(at.Dev), true
}
