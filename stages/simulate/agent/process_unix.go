//go:build unix

package agent

import (
	"os/exec"
	"syscall"
)

// alone makes a process the head of a group of its own, so that what it starts
// can be killed with it.
func alone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill kills a process that was started, and its group.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // it may have ended
