package main

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/spec"
)

// takes reports whether the agent's table has a form for the event.
func takes(e spec.EventType, form func(*agent.NativeEvent) agent.Form) func(*agent.Agent) bool {
	return func(a *agent.Agent) bool {
		row := a.EventFor(e)
		return row != nil && form(row) != nil
	}
}

func contextForm(e *agent.NativeEvent) agent.Form { return e.Context }
func inputForm(e *agent.NativeEvent) agent.Form   { return e.Input }
func outputForm(e *agent.NativeEvent) agent.Form  { return e.Output }
func allowForm(e *agent.NativeEvent) agent.Form   { return e.Allow }

// denies reports whether the agent accepts a block of the event.
func denies(e spec.EventType) func(*agent.Agent) bool {
	return func(a *agent.Agent) bool {
		row := a.EventFor(e)
		return row != nil && (row.Exit2 || row.Deny != nil)
	}
}

// harmlessChange reports whether a changed input needs no allow.
func harmlessChange(a *agent.Agent) bool { return a.EventFor(spec.PreToolCall).Harmless }

// faultOfTable returns the difference between the observed ability and the agent's table.
func (sc scenario) faultOfTable(c client, ability string) string {
	expected := sc.can == nil || sc.can(agent.Find(c.name))
	if why, found := c.headless[sc.name]; found {
		return faultIf(ability == yes, "seen despite: "+why)
	}
	return words(faultIf(expected && ability != yes && !strings.HasPrefix(ability, "no such "), "the agent should be able to"),
		faultIf(!expected && ability == yes, "the agent's table denies what was seen"))
}

func faultIf(holds bool, fault string) string {
	if holds {
		return fault
	}
	return ""
}
