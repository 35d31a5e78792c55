package agenthooks_test

import (
	"strings"
	"testing"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// say returns a script that records its call and prints object.
func say(name, object string) string {
	return "echo " + name + " >> order; echo '" + object + "'"
}

// TestFinalInput checks that no input reaches the tool that a matching guard has
// not seen (D29).
func TestFinalInput(t *testing.T) {
	type hook struct {
		name, script string
		lines        []string
	}
	becomes := func(name, command string) string { return say(name, `{"modified_input": {"command": "`+command+`"}}`) }
	tests := []struct {
		name     string
		hooks    []hook // in order
		order    string // in which they ran
		decision protocol.Decision
		input    string
		warning  string
	}{
		{"later hooks see the change", []hook{
			{"a", becomes("a", "one"), nil},
			{"b", `grep -q '"command": "one"' && echo b >> order`, nil},
		}, "a b", "", `{"command": "one"}`, ""},
		{"earlier hooks run again", []hook{
			{"a", say("a", `{}`), nil},
			{"b", becomes("b", "one"), nil},
			{"c", say("c", `{}`), nil},
		}, "a b c a", "", `{"command": "one"}`, ""},
		{"a guard of the new input only", []hook{
			{"a", "echo a >> order; exit 2", []string{"matcher: {pattern: ^rm}"}},
			{"b", becomes("b", "rm x"), nil},
			{"c", say("c", `{}`), nil},
		}, "b c a", protocol.Deny, "", ""},
		{"its new answer replaces its old one", []hook{
			{"a", `echo a >> order; if grep -q '"command": "ls"'; then echo '{"decision": "ask"}'; else echo '{"decision": "allow"}'; fi`, nil},
			{"b", becomes("b", "one"), nil},
		}, "a b a", protocol.Allow, `{"command": "one"}`, ""},
		{"an allow of a superseded input does not count", []hook{
			{"a", say("a", `{"decision": "allow", "reason": "harmless"}`), []string{"matcher: {pattern: ^ls$}"}},
			{"b", becomes("b", "one"), nil},
		}, "a b", "", `{"command": "one"}`, ""},
		{"nor is an ask", []hook{
			{"a", say("a", `{"decision": "ask"}`), []string{"matcher: {pattern: ^ls$}"}},
			{"b", say("b", `{"decision": "allow", "modified_input": {"command": "one"}}`), nil},
		}, "a b", protocol.Allow, `{"command": "one"}`, ""},
		{"nor is a failure", []hook{
			{"a", "echo a >> order; exit 1", []string{"matcher: {pattern: ^ls$}", "metadata: {on-failure: ask}"}},
			{"b", becomes("b", "one"), nil},
		}, "a b", "", `{"command": "one"}`, ""},
		{"a deny of a replaced input counts", []hook{
			{"a", becomes("a", "one"), nil},
			{"b", "echo b >> order; exit 2", nil},
		}, "a b", protocol.Deny, "", ""},
		{"two hooks that undo each other end", []hook{
			{"a", becomes("a", "one"), nil},
			{"b", becomes("b", "two"), nil},
		}, "a b a", "", `{"command": "two"}`, "hook a: changes the input again; the change is ignored, and so is its allow"},
		{"an allow of the ignored change does not count", []hook{
			{"a", say("a", `{"decision": "allow", "reason": "mine", "modified_input": {"command": "one"}}`), nil},
			{"b", becomes("b", "two"), nil},
		}, "a b a", "", `{"command": "two"}`, "hook a: changes the input again"},
		{"an ask of it is one", []hook{
			{"a", say("a", `{"decision": "ask", "modified_input": {"command": "one"}}`), nil},
			{"b", becomes("b", "two"), nil},
		}, "a b a", protocol.Ask, `{"command": "two"}`, ""},
		{"the same input is not a change", []hook{
			{"a", say("a", `{"decision": "allow", "modified_input":  {"command" :"\u006cs"}}`), nil},
			{"b", say("b", `{}`), nil},
		}, "a b", protocol.Allow, "", ""},
		{"the same change by another hook is not a change", []hook{
			{"a", becomes("a", "one"), nil},
			{"b", say("b", `{"decision": "allow", "modified_input": {"command": "one"}}`), nil},
		}, "a b", protocol.Allow, `{"command": "one"}`, ""},
		{"three modifiers take three passes", []hook{
			{"a", becomes("a", "one"), nil},
			{"b", becomes("b", "two"), nil},
			{"c", becomes("c", "three"), nil},
		}, "a b c a b", "", `{"command": "three"}`, "hook b: changes the input again"},
		{"a change in the second pass", []hook{
			{"a", becomes("a", "two"), []string{"matcher: {pattern: ^one$}"}},
			{"b", becomes("b", "one"), nil},
		}, "b a b", "", `{"command": "two"}`, "hook b: changes the input again"},
		{"async hooks get the final input", []hook{
			{"a", `grep -o '"command": "[^"]*"' > async`, []string{"async: true", "matcher: {pattern: ^one$}"}},
			{"b", becomes("b", "one"), nil},
		}, "b", "", `{"command": "one"}`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newScratch(t)
			for _, h := range test.hooks {
				s.hook(h.name, h.script, h.lines...)
			}
			report := s.preTool()
			if got := strings.Join(strings.Fields(s.read("order")), " "); got != test.order {
				t.Errorf("hooks ran in the order %q, want %q", got, test.order)
			}
			if got := report.Answer.Decision; got != test.decision {
				t.Errorf("decision %q, want %q", got, test.decision)
			}
			if got := string(report.Answer.ModifiedInput); got != test.input {
				t.Errorf("input %s, want %s", got, test.input)
			}
			if test.warning != "" {
				has(t, report.Warnings, test.warning)
			}
			if of(t, report, "a").Async {
				if got := s.await("async"); got != "\"command\": \"one\"\n" {
					t.Errorf("the async hook got %s", got)
				}
			}
		})
	}
}

// Running a plan does not change it: a second run calls the same guards.
func TestPlanRunsTwice(t *testing.T) {
	s := newScratch(t)
	s.hook("a", "[ ! -e second ] || exit 2", "matcher: {pattern: ^ls$}")
	s.hook("b", `echo '{"modified_input": {"command": "one"}}'; echo > second`)
	plan := s.plan(spec.PreToolCall, ls)
	if plan.Run(t.Context(), agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express}).Blocked {
		t.Fatal("the first run is blocked")
	}
	if !plan.Rows[0].Runs {
		t.Error("the run has changed the plan")
	}
	if !plan.Run(t.Context(), agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express}).Blocked {
		t.Error("the guard did not run again")
	}
}

// If a hook failed on an input that was then changed, and does not match the
// new one, its failure is not reported.
func TestSupersededFailureHasNoCause(t *testing.T) {
	s := newScratch(t)
	s.hook("a", "exit 1", "matcher: {pattern: ^ls$}")
	s.hook("b", `echo '{"modified_input": {"command": "one"}}'`)
	if a := of(t, s.preTool(), "a"); a.Outcome != agenthooks.NotConcerned || a.Cause != "" || a.Runs != 1 {
		t.Errorf("outcome %q, cause %q, %d runs", a.Outcome, a.Cause, a.Runs)
	}
}

// Messages about an input that was then changed are dropped.
func TestSupersededMessageIsDropped(t *testing.T) {
	s := newScratch(t)
	s.hook("a", `echo '{"system_message": "about ls"}'`, "matcher: {pattern: ^ls$}")
	s.hook("b", `echo '{"modified_input": {"command": "one"}, "system_message": "about one"}'`)
	s.hook("c", "exit 2")
	if report := s.preTool(); !report.Blocked || report.Answer.SystemMessage != "about one" {
		t.Errorf("blocked %v, message %q", report.Blocked, report.Answer.SystemMessage)
	}
}

// Each warning is reported once, however often a hook runs.
func TestWarningsAreReportedOnce(t *testing.T) {
	s := newScratch(t)
	s.hook("a", `echo '{"updated_output": 1}'; head -c 1048577 /dev/zero >&2`, "priority: 2000")
	s.hook("b", `echo '{"modified_input": {"command": "one"}}'`)
	a := of(t, s.preTool(), "a")
	if a.Runs != 2 || len(a.Warnings) != 3 || a.Dropped != 1 {
		t.Errorf("%d runs, %d bytes dropped, warnings %q", a.Runs, a.Dropped, a.Warnings)
	}
	has(t, a.Warnings, "[priority]")
	has(t, a.Warnings, "updated_output is ignored on pre-tool-call")
	has(t, a.Warnings, "stderr is above its limit; 1 bytes were dropped")
}

// Each hook reads the output as the hook before it changed it, and the hooks
// before it run again on it (D88).
func TestUpdatedOutput(t *testing.T) {
	s := newScratch(t)
	for _, name := range []string{"a", "b", "c"} {
		s.hook(name, `grep -o '"tool_response": "[^"]*"' | cut -d'"' -f4 >> seen; echo '{"updated_output": "by `+name+`"}'`, "trigger: post-tool-call")
	}
	report := s.run(spec.PostToolCall, `{"tool_name": "Shell", "tool_input": {}, "tool_response": "first"}`)
	if got, want := s.read("seen"), strings.ReplaceAll("first,by a,by b,by c,by c,", ",", "\n"); got != want {
		t.Errorf("they saw\n%s", got)
	}
	if got := string(report.Answer.UpdatedOutput); got != `"by c"` {
		t.Errorf("updated output %s", got)
	}
}

// A second block in a row must not keep the agent from stopping (D30).
func TestStopHookActive(t *testing.T) {
	tests := []struct {
		name, script, line string
		event              spec.EventType
		text               string
		blocked            bool
	}{
		{"first", "echo no >&2; exit 2", "", spec.PreAgentTurnStop, `{"stop_hook_active": false}`, true},
		{"again", "echo no >&2; exit 2", "", spec.PreAgentTurnStop, `{"stop_hook_active": true}`, false},
		{"deny again", `echo '{"decision": "deny", "reason": "no", "system_message": "said"}'`, "", spec.PreAgentTurnStop, `{"stop_hook_active": true}`, false},
		{"failure again", "exit 1", "metadata: {on-failure: deny}", spec.PreAgentTurnStop, `{"stop_hook_active": true}`, false},
		{"not a word", "exit 2", "", spec.PreAgentTurnStop, `{"stop_hook_active": "true"}`, true},
		{"another event", "exit 2", "", spec.PreAgentTurn, `{"stop_hook_active": true}`, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newScratch(t)
			lines := []string{"trigger: " + string(test.event)}
			if test.line != "" {
				lines = append(lines, test.line)
			}
			s.hook("gate", test.script, lines...)
			report := s.run(test.event, test.text)
			if report.Blocked != test.blocked {
				t.Fatalf("blocked %v, want %v", report.Blocked, test.blocked)
			}
			if test.blocked {
				return
			}
			has(t, report.Warnings, "blocks although stop_hook_active is true; the agent may stop: ")
			if a := report.Answer; a.Decision != protocol.NoOpinion || a.Reason != "" || strings.Contains(test.script, "said") && a.SystemMessage != "said" {
				t.Errorf("answer %+v", a)
			}
		})
	}
}

// A block must not undo a redaction: the tool has run, and its output still
// reaches the model (D88).
func TestBlockKeepsOutput(t *testing.T) {
	s := newScratch(t)
	s.hook("a", `echo '{"updated_output": "redacted"}'`, "trigger: post-tool-call")
	s.hook("b", "exit 2", "trigger: post-tool-call")
	s.hook("c", "exit 1", "trigger: post-tool-call", "metadata: {on-failure: deny}")
	report := s.run(spec.PostToolCall, `{"tool_name": "Shell", "tool_input": {}, "tool_response": "secret"}`)
	if got := string(report.Answer.UpdatedOutput); got != `"redacted"` || !report.Blocked {
		t.Errorf("blocked %v, output %s", report.Blocked, got)
	}
}

// A prompt is changed once by each hook, and all other hooks see the final one
// (D88).
func TestFinalPrompt(t *testing.T) {
	for _, pure := range []string{"metadata: {}", "metadata: {pure: true}"} {
		s := newScratch(t)
		s.hook("a", `if grep -q secret; then echo '{"decision": "deny", "reason": "secret"}'; fi`, "trigger: pre-agent-turn", pure)
		s.hook("b", `echo '{"modified_prompt": "the secret"}'`, "trigger: pre-agent-turn", pure)
		if report := s.run(spec.PreAgentTurn, `{"prompt": "hello"}`); !report.Blocked || report.BlockedBy != "a" {
			t.Errorf("%s: a guard does not see the final prompt", pure)
		}
		s = newScratch(t)
		s.hook("a", `echo '{"modified_prompt": "one", "additional_context": "about hello"}'`, "trigger: pre-agent-turn", pure)
		s.hook("b", `grep -q '"prompt": "one"' && echo '{"modified_prompt": "one"}'`, "trigger: pre-agent-turn", pure)
		if report := s.run(spec.PreAgentTurn, `{"prompt": "hello"}`); report.Answer.ModifiedPrompt != "one" || of(t, report, "a").Runs != 1 || len(report.Warnings) > 0 {
			t.Errorf("%s: prompt %q, %q", pure, report.Answer.ModifiedPrompt, report.Warnings)
		}
	}
}
