package main

import (
	"os"
	"syscall"

	"golang.org/x/sys/windows"

	"github.com/agent-hooks/agent-hooks/spec"
)

// endingSignals are Ctrl-C and Ctrl-Break, and the end of the console, the session or the system.
func endingSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

func surviveWrites() {}

func ignoreWrites() {}

// dieBy ends the process: Windows has no death by signal.
func dieBy(os.Signal) { os.Exit(spec.ExitError) }

// errUnread is the error of a write to a pipe whose reader has closed it.
const errUnread = windows.ERROR_NO_DATA

// whenUnread does nothing: on Windows only a write detects a closed reader.
func whenUnread(any, func()) {}
