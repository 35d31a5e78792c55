package main

import (
	"os"

	"github.com/agent-hooks/agent-hooks/spec"
)

func endingSignals() []os.Signal { return []os.Signal{os.Interrupt} }

func surviveWrites() {}

// dieBy ends the process: Windows has no death by signal.
func dieBy(os.Signal) { os.Exit(spec.ExitError) }
