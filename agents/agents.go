// Package agents gives a host that embeds package agenthooks what the engine needs to know about
// other agents: with Script, hooks run that are written for another agent's hook system
// (metadata.protocol), and Named describes an agent that calls.
//
//	hooks := agenthooks.Load(agenthooks.Options{Agent: agents.Named("codex"), Scripts: agents.Script})
package agents

import (
	"runtime"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/script"
)

// Script returns the hook system of a metadata.protocol, for Options.Scripts; nil if there is none
// of this name.
func Script(protocol string) script.System { return agent.Script(protocol) }

// Named returns the agent with a name, for Options.Agent. Of an unknown agent only the name is set.
func Named(name string) agenthooks.Agent {
	caller := agenthooks.Agent{Name: name}
	a := agent.Find(name)
	if a == nil {
		return caller
	}
	caller.Variables = append([]string{}, a.Variables...)
	for _, part := range a.Environment {
		caller.Sets = append(caller.Sets, part.Path)
	}
	caller.Elsewhere, caller.Bash, caller.Approves = !a.FixedDir, a.RunsBash(runtime.GOOS), a.Converses
	return caller
}
