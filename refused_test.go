package agenthooks_test

import (
	"strings"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// A caller's mistake is not an allowed operation: an event that no hook can have
// as its trigger, or hooks that were not loaded.
func TestMistakesAreRefused(t *testing.T) {
	s := newScratch(t)
	s.hook("guard", "exit 2")
	now := time.Now().UTC().Format(time.RFC3339)
	misspelt, warnings := protocol.ParseEvent("pre-tool-cal", []byte(`{}`), now)
	if len(warnings) != 1 || !strings.Contains(warnings[0], "pre-tool-cal") {
		t.Errorf("warnings %q", warnings)
	}
	event, _ := protocol.ParseEvent(spec.PreToolCall, []byte(`{}`), now)
	loaded := agenthooks.Load(s.options)
	for name, plan := range map[string]*agenthooks.Plan{
		"misspelt event": loaded.Plan(misspelt), "zero event": loaded.Plan(&protocol.Event{}), "zero hooks": new(agenthooks.Hooks).Plan(event),
	} {
		report := plan.Run(t.Context(), agenthooks.RunOptions{})
		if !report.Blocked || report.Answer.Decision != protocol.Deny || report.Answer.Reason == "" || len(report.Warnings) == 0 {
			t.Errorf("%s: blocked %v, answer %+v, warnings %q", name, report.Blocked, report.Answer, report.Warnings)
		}
	}
}
