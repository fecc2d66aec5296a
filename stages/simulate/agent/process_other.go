//go:build !unix

package agent

import "os/exec"

// alone does nothing where processes have no groups.
func alone(*exec.Cmd) {}

// kill kills a process that was started.
func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // it may have ended
