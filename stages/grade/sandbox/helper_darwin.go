package sandbox

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// helper returns the helper process for an order.
func (b *Box) helper(ctx context.Context, _ *order) (*exec.Cmd, error) {
	if b.level == Full {
		return nil, errors.New("needs Linux")
	}
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, path)
	cmd.Args = []string{helperName, partConfine}
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { killGroup(cmd); return nil }
	return cmd, nil
}
