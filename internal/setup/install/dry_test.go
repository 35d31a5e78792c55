package install

import (
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/spec"
)

// TestDryPayload checks that the payload that doctor sends through an entry is the agent's own: it
// is decoded to the entry's event, and for the first tool call to a tool's.
func TestDryPayload(t *testing.T) {
	s := machine(t)
	for _, c := range All() {
		if c.Agent.Converses {
			continue
		}
		called := false
		for _, event := range c.events(nil, "") {
			target := s.Target(c)
			text := strings.TrimSpace(target.dryPayload(Entry{Event: event.Name}))
			call, err := c.Agent.Decode([]byte(text), target.eventArg(event))
			if err != nil || len(call.Warnings) > 0 || len(call.Events) == 0 || call.Events[0] != event.Spec {
				t.Errorf("%s %s: %q, %q, %v: %s", c.Name, event.Name, call.Events, call.Warnings, err, text)
				continue
			}
			if !strings.Contains(text, strings.Trim(jsText(s.Project), `"`)) && c.Agent.Variables == nil {
				t.Errorf("%s %s: nothing names the project: %s", c.Name, event.Name, text)
			}
			if event.Spec != spec.PreToolCall || called {
				continue
			}
			called = true
			e, warnings := call.Parse(event.Spec, "")
			if names, _ := e.ToolNames(); !slices.Contains(names, c.Agent.NativeTool("Shell")) || len(warnings) > 0 {
				t.Errorf("%s %s: tool %q, %q: %s", c.Name, event.Name, names, warnings, text)
			}
		}
		if c.Agent.NamesEvent() { // an entry for every event
			text := strings.TrimSpace(s.Target(c).dryPayload(Entry{}))
			if call, err := c.Agent.Decode([]byte(text), ""); err != nil || call.Events[0] != spec.PreToolCall {
				t.Errorf("%s: %v: %s", c.Name, err, text)
			}
		}
	}
}
