//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

func endingSignals() []os.Signal {
	return []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
}

// notifyPipe makes writes to a closed stdout or stderr return an error.
// Ignoring the signal instead would be inherited by hooks.
func notifyPipe(c chan os.Signal) { signal.Notify(c, syscall.SIGPIPE) }

// dieBy ends the process by sig, which is no longer caught.
func dieBy(sig os.Signal) {
	if number, ok := sig.(syscall.Signal); ok {
		_ = syscall.Kill(syscall.Getpid(), number)
	}
	select {} // the signal ends the process
}
