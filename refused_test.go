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
	var live agenthooks.Live
	defer live.Close()
	for name, plan := range map[string]*agenthooks.Plan{
		"misspelt event": loaded.Plan(misspelt), "zero event": loaded.Plan(&protocol.Event{}), "zero hooks": new(agenthooks.Hooks).Plan(event),
		"no event": loaded.Plan(nil), "no hooks": (*agenthooks.Hooks)(nil).Plan(nil), "zero live": live.Load(s.options).Plan(event), "zero plan": {}, "no plan": nil,
	} {
		report := plan.Run(t.Context(), agenthooks.RunOptions{})
		if !report.Blocked || report.Answer.Decision != protocol.Deny || report.Answer.Reason == "" || len(report.Warnings) == 0 {
			t.Errorf("%s: blocked %v, answer %+v, warnings %q", name, report.Blocked, report.Answer, report.Warnings)
		}
	}
}

// TestUndeclared checks that a host that forgets to say what it can do executes
// nothing that a guard has not allowed (D104).
func TestUndeclared(t *testing.T) {
	s := newScratch(t)
	answers := map[string]string{
		"ask":    `{"decision": "ask", "reason": "sure?"}`,
		"input":  `{"modified_input": {"command": "ls -l"}}`,
		"prompt": `{"modified_prompt": "hello"}`,
		"output": `{"updated_output": "***"}`,
	}
	for name, answer := range answers {
		trigger, field := "pre-tool-call", "RunOptions.Modify"
		switch name {
		case "ask":
			field = "RunOptions.Ask"
		case "prompt":
			trigger = "pre-agent-turn"
		case "output":
			trigger = "post-tool-call"
		}
		s.hook("h", "cat <<'E'\n"+answer+"\nE", "trigger: "+trigger)
		event, _ := protocol.ParseEvent(spec.EventType(trigger), []byte(`{"tool_name": "bash", "tool_input": {"command": "ls"}, "tool_output": "key", "prompt": "hi"}`), "2026-01-02T03:04:05Z")
		for _, o := range []agenthooks.RunOptions{{}, {Ask: "typo", Modify: "typo"}} {
			report := agenthooks.Load(s.options).Plan(event).Run(t.Context(), o)
			if !report.Blocked || report.BlockedBy != "h" || !strings.Contains(report.Answer.Reason, field) {
				t.Errorf("%s with %+v: %v %q", name, o, report.Blocked, report.Answer.Reason)
			}
		}
		report := agenthooks.Load(s.options).Plan(event).Run(t.Context(), agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express})
		if report.Blocked {
			t.Errorf("%s, declared: %q", name, report.Answer.Reason)
		}
	}
	o := s.options
	o.TrustProject = false
	s.hook("unreviewed", "exit 0", "trigger: pre-session")
	event, _ := protocol.ParseEvent(spec.PreSession, []byte(`{}`), "2026-01-02T03:04:05Z")
	if rows := agenthooks.Load(o).Plan(event).Rows; len(rows) != 1 || rows[0].Runs {
		t.Errorf("a hook that was not reviewed: %+v", rows)
	}
}
