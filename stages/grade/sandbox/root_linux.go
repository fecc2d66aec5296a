package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// systemPaths hold the programs and libraries of a system, and what they need
// to start; those that do not exist are left out. No home folder, no secret of
// /etc and nothing that can be written is among them.
var systemPaths = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
	"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime",
}

// devices are the files of /dev that a program may expect.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

const (
	workFolder = "/sandbox-work"
	selfPath   = "/.supervisor" // this binary, for the part that confines
	stagePath  = "/tmp"         // where the new root is built: a folder that every system has
	maxInodes  = 10_000
)

// graft is a piece of the old root that was taken hold of, to be put at path
// in the new one.
type graft struct {
	path string
	fd   int
	dir  bool
}

// buildRoot replaces the root of the calling process's mount namespace by one
// that shows what o's command may see, and makes the working folder its own.
func buildRoot(o order) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making the mounts private: %w", err)
	}
	grafts, links, err := takeGrafts(o)
	if err != nil {
		return err
	}
	if err := unix.Mount("root", stagePath, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=1m"); err != nil {
		return fmt.Errorf("mounting the root: %w", err)
	}
	for _, g := range grafts {
		if err := g.place(stagePath + g.path); err != nil {
			return fmt.Errorf("showing %s: %w", g.path, err)
		}
	}
	for _, l := range links {
		if err := os.Symlink(l.to, stagePath+l.path); err != nil {
			return fmt.Errorf("showing %s: %w", l.path, err)
		}
	}
	if err := mountOwn(stagePath, o); err != nil {
		return err
	}
	if err := enterRoot(stagePath); err != nil {
		return err
	}
	return writeFiles(workFolder, o)
}

// link is a symbolic link of the old root's, such as /bin to usr/bin.
type link struct{ path, to string }

// takeGrafts takes hold of what the command may read, before the new root
// hides it.
func takeGrafts(o order) (grafts []graft, links []link, err error) {
	for _, path := range distinct(slices.Concat(systemPaths, o.Command.Readable)) {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) && slices.Contains(systemPaths, path) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if info.Mode()&fs.ModeSymlink != 0 && slices.Contains(systemPaths, path) {
			to, err := os.Readlink(path)
			if err != nil {
				return nil, nil, err
			}
			links = append(links, link{path, to})
			continue
		}
		if info, err = os.Stat(path); err != nil { // a link that the caller named: what it leads to
			return nil, nil, err
		}
		g, err := take(path, path, info.IsDir(), unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV)
		if err != nil {
			return nil, nil, err
		}
		grafts = append(grafts, g)
	}
	for _, path := range devices {
		g, err := take(path, path, false, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NOEXEC)
		if err != nil {
			return nil, nil, err
		}
		grafts = append(grafts, g)
	}
	program, err := ownPath()
	if err != nil {
		return nil, nil, err
	}
	self, err := take(program, selfPath, false, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID)
	return append(grafts, self), links, err
}

// ownPath returns where this binary lies. A file that has since been put in
// its place is not this binary.
func ownPath() (string, error) {
	path, err := os.Readlink(helperPath)
	if err != nil {
		return "", err
	}
	running, err := os.Stat(helperPath)
	if err != nil {
		return "", err
	}
	if there, err := os.Stat(path); err != nil || !os.SameFile(running, there) {
		return "", fmt.Errorf("this program's file %s was removed or replaced while it runs", path)
	}
	return path, nil
}

// distinct returns the paths in order, without those that lie within another.
func distinct(paths []string) []string {
	sorted := make([]string, len(paths))
	for i, p := range paths {
		sorted[i] = filepath.Clean(p)
	}
	slices.Sort(sorted)
	out := sorted[:0]
	for _, p := range sorted {
		if !slices.ContainsFunc(out, func(q string) bool { return p == q || strings.HasPrefix(p, q+"/") }) {
			out = append(out, p)
		}
	}
	return out
}

// take clones the mount that from lies on, with the given restrictions.
func take(from, path string, dir bool, attributes uint64) (graft, error) {
	flags := uint(unix.OPEN_TREE_CLONE | unix.OPEN_TREE_CLOEXEC)
	if dir {
		flags |= unix.AT_RECURSIVE
	}
	fd, err := unix.OpenTree(unix.AT_FDCWD, from, flags)
	if err != nil {
		return graft{}, fmt.Errorf("taking hold of %s: %w", from, err)
	}
	at := uint(unix.AT_EMPTY_PATH)
	if dir {
		at |= unix.AT_RECURSIVE
	}
	if err := unix.MountSetattr(fd, "", at, &unix.MountAttr{Attr_set: attributes}); err != nil {
		return graft{}, fmt.Errorf("restricting %s: %w", from, err)
	}
	return graft{path: path, fd: fd, dir: dir}, nil
}

// place mounts the graft at path, which it makes.
func (g graft) place(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if g.dir {
		if err := os.Mkdir(path, 0o755); err != nil {
			return err
		}
	} else if err := os.WriteFile(path, nil, 0o644); err != nil {
		return err
	}
	if err := unix.MoveMount(g.fd, "", unix.AT_FDCWD, path, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return err
	}
	return unix.Close(g.fd)
}

// mountOwn mounts what belongs to the command alone: its folder, which is its
// /tmp too unless something readable lies there, and its view of the processes.
func mountOwn(root string, o order) error {
	work := root + workFolder
	for _, dir := range []string{work, root + "/proc"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	// The folder holds as much as one file may, and what the caller puts there.
	size := o.Limits.FileSize
	for _, f := range o.Command.Files {
		size += int64(len(f.Data)) + 4096
	}
	options := fmt.Sprintf("mode=0700,size=%d,nr_inodes=%d,uid=%d,gid=%d", size, maxInodes+len(o.Command.Files), o.UID, o.UID)
	if err := unix.Mount("work", work, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return fmt.Errorf("mounting the working folder: %w", err)
	}
	if err := os.Mkdir(root+"/tmp", 0o755); err == nil {
		if err := unix.Mount(work, root+"/tmp", "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("mounting the working folder as /tmp: %w", err)
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	// A container may hide parts of /proc and then allows no fresh one. Most
	// programs run without.
	if err := unix.Mount("proc", root+"/proc", "proc", unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil && err != unix.EPERM {
		return fmt.Errorf("mounting /proc: %w", err)
	}
	return nil
}

// enterRoot makes root the root, lets the old one go, and forbids writing to
// what is no mount of its own.
func enterRoot(root string) error {
	if err := unix.Chdir(root); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("entering the root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("leaving the old root: %w", err)
	}
	if err := unix.Chdir("/"); err != nil {
		return err
	}
	return unix.MountSetattr(unix.AT_FDCWD, "/", 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
}

// writeFiles writes the command's files into its folder and goes there.
func writeFiles(folder string, o order) error {
	for _, f := range o.Command.Files {
		path := filepath.Join(folder, f.Name)
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return err
		}
		if err := os.Chown(path, o.UID, o.UID); err != nil {
			return err
		}
	}
	return os.Chdir(folder)
}
