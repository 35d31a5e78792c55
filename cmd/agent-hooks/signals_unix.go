//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/agent-hooks/agent-hooks/spec"
)

func endingSignals() []os.Signal {
	return []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
}

// notifyWrites makes writes to a closed stdout or stderr return an error.
// Ignoring the signal instead would be inherited by hooks.
func notifyWrites(c chan os.Signal) { signal.Notify(c, syscall.SIGPIPE) }

// dieBy ends the process by sig, which is no longer caught. The first process
// of a container does not die by its own signals; Go would end it with status
// 2, which means blocked.
func dieBy(sig os.Signal) {
	if os.Getpid() == 1 {
		os.Exit(spec.ExitError)
	}
	if number, ok := sig.(syscall.Signal); ok {
		_ = syscall.Kill(syscall.Getpid(), number)
	}
	select {} // the signal ends the process
}
