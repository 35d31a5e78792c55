package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// system is an agent as the engine uses it, for hooks that are written for it.
type system struct{ *Agent }

// Script returns the hook system of a metadata.protocol, nil if there is none.
func Script(protocol string) script.System {
	if a := Find(protocol); a != nil {
		return system{a}
	}
	return nil
}

// callOf returns the call of an agent of this package; nil if there is none.
func callOf(c script.Call) *Call {
	call, _ := c.(*Call)
	return call
}

// Check implements script.System.
func (a system) Check(event spec.EventType, native string) error {
	if native != "" {
		if row := a.Event(native); row == nil || row.Failed != event && !slices.Contains(row.Spec(), event) {
			return fmt.Errorf("metadata.native-event %q is not an event of %s for %s", native, a.Name, event)
		}
	}
	if a.EventFor(event) == nil {
		return fmt.Errorf("metadata.protocol is %s, which has no event for %s", a.Name, event)
	}
	return nil
}

// Concerns implements script.System.
func (a system) Concerns(event *protocol.Event, native string) (sent string, yes bool) {
	names, undecided := event.Field(a.NameField())
	yes = undecided != "" || len(names) == 0 && a.Performs(native, "") || slices.ContainsFunc(names, func(name string) bool { return a.Performs(native, name) })
	return strings.Join(names, ", "), yes
}

// Tool implements script.System.
func (a system) Tool(name string) (native string, known bool) {
	return a.NativeTool(name), slices.ContainsFunc(a.Tools, func(t Tool) bool { return t.Native == name })
}

// Sent implements script.System.
func (a system) Sent(c script.Call) bool {
	call := callOf(c)
	return call != nil && call.Agent == a.Agent
}

// Parts implements script.System.
func (a system) Parts(e *protocol.Event, c script.Call) ([]*protocol.Event, error) {
	return a.Split(e, callOf(c))
}

// Run implements script.System.
func (a system) Run(e *protocol.Event, c script.Call, h script.Hook) script.Run {
	if f := a.Foreign(e, callOf(c), h); f != nil {
		return f
	}
	return nil
}

// JudgeLater implements script.System.
func (a system) JudgeLater(native string, own bool, hook string, exit protocol.Exit) (protocol.Answer, error) {
	row := a.Event(native)
	if row == nil {
		return protocol.Answer{}, fmt.Errorf("%s has no event %q", a.Name, native)
	}
	answer, _, err := a.Judge(row, hook, exit, own)
	return answer, err
}

// Reads implements script.Run.
func (f *Foreign) Reads() *script.Input { return &f.Input }

// Dialog implements script.Run.
func (f *Foreign) Dialog() script.Dialog {
	if f.Agent.Converses {
		return f
	}
	return nil
}
