//go:build unix

package main

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// errUnread is the error of a write to a pipe whose reader has closed it.
const errUnread = unix.EPIPE

// whenUnread calls stop when the reader of stream has closed it, for example the other end of a
// pipe.
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
