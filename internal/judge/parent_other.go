//go:build !linux

package judge

import "syscall"

// diesWithParent has no effect: on this system, a program outlives the one that started it.
func diesWithParent() *syscall.SysProcAttr { return nil }
