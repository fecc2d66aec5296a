package files

import (
	"os"

	"golang.org/x/sys/unix"
)

// startWriting has the system begin to bring what was written to the disk, without
// waiting for it. Only what is there can be forgotten.
func startWriting(f *os.File) {
	_ = unix.SyncFileRange(int(f.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE) // it is no more than a wish
}

// forget has the system give up the memory that holds a file, as far as the disk
// has it.
func forget(f *os.File) {
	_ = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) // it is no more than a wish
}
