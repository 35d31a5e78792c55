//go:build !unix

package packaging

import "os/exec"

func inGroup(*exec.Cmd) {}

func interruptGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
