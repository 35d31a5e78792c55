//go:build unix

package packaging

import (
	"os/exec"
	"syscall"
)

func inGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// interruptGroup sends what a terminal sends for Ctrl-C.
func interruptGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
