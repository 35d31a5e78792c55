//go:build unix

package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/agent-hooks/agent-hooks/spec"
)

func endingSignals() []os.Signal {
	return []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
}

// surviveWrites makes writes to a closed stdout or stderr return an error instead of killing
// the program. An ignored signal would be inherited by hooks.
func surviveWrites() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// ignoreWrites is surviveWrites for a process that starts no other.
func ignoreWrites() { signal.Ignore(syscall.SIGPIPE) }

// dieBy ends the process with sig, which is no longer caught. The first process of a container
// is not killed by its own signals; Go would end it with status 2, which means blocked.
func dieBy(sig os.Signal) {
	if os.Getpid() == 1 {
		os.Exit(spec.ExitError)
	}
	if number, ok := sig.(syscall.Signal); ok {
		_ = syscall.Kill(syscall.Getpid(), number)
	}
	select {} // the signal ends the process
}

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
