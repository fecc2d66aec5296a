package sandbox

import (
	"context"
	"os"
	"os/exec"
	"syscall"
)

// helperPath names this binary, whatever has become of its file.
const helperPath = "/proc/self/exe"

// nobody is who commands run as when the caller is root.
const nobody = 65534

// helperEnv keeps the runtime of a helper from starting threads and from needing
// memory of its own accord.
var helperEnv = []string{"GOMAXPROCS=1", "GOGC=off"}

// helper returns the helper process for an order, and completes the order.
func (b *Box) helper(ctx context.Context, o *order) (*exec.Cmd, error) {
	part, attributes := partConfine, &syscall.SysProcAttr{Setpgid: true}
	if b.level == Full {
		part = partSupervise
		attributes.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID |
			syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS
		attributes.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		attributes.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
		if os.Geteuid() == 0 {
			// Root may map a second user, who can touch nothing of root's.
			o.UID = nobody
			other := syscall.SysProcIDMap{ContainerID: nobody, HostID: nobody, Size: 1}
			attributes.UidMappings = append(attributes.UidMappings, other)
			attributes.GidMappings = append(attributes.GidMappings, other)
			attributes.GidMappingsEnableSetgroups = true
		}
	}
	cmd := exec.CommandContext(ctx, helperPath)
	cmd.Args = []string{helperName, part}
	cmd.Env = helperEnv
	cmd.SysProcAttr = attributes
	cmd.Cancel = func() error { killGroup(cmd); return nil }
	return cmd, nil
}
