package main

import (
	"math"

	"golang.org/x/sys/unix"
)

// closeOnExec prevents hooks from inheriting descriptors that the caller left open: one may
// refer to a secret file, or keep open a pipe that the caller waits on. Older kernels lack the
// system call.
func closeOnExec() {
	if unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) != nil {
		closeListedOnExec("/proc/self/fd")
	}
}
