//go:build unix

package main

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// errUnread is that of a write to a pipe whose other end has left.
const errUnread = unix.EPIPE

// whenUnread calls stop once nobody can read any more what is written to
// stream, such as after the other end of a pipe has left.
func whenUnread(stream any, stop func()) {
	f, ok := stream.(*os.File)
	if !ok {
		return
	}
	fds := []unix.PollFd{{Fd: int32(f.Fd())}}
	for {
		_, err := unix.Poll(fds, -1)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err == nil {
			stop()
		}
		return
	}
}
