//go:build !linux

package main

import (
	"io"
	"syscall"
)

// readNow reads nothing: on this system, a read may block.
func readNow(io.Reader, []byte) int { return 0 }

// diesWithParent has no effect: on this system, a program outlives the one that started it.
func diesWithParent() *syscall.SysProcAttr { return nil }
