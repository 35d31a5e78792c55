package agenthooks_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// answering writes a hook of the project without a script.
func (s *scratch) answering(name, lines string) {
	s.Helper()
	dir := filepath.Join(s.hooks(), name)
	text := "---\nname: " + name + "\ndescription: d\ntrigger: pre-tool-call\n" + lines + "---\n"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "HOOK.md"), []byte(text), 0o644); err != nil {
		s.Fatal(err)
	}
}

// A constant deny needs no time and no process (D77).
func TestConstantAnswerAfterDeadline(t *testing.T) {
	s := newScratch(t)
	s.answering("deny", "metadata: {answer: {decision: deny, reason: no}}\n")
	ctx, cancel := context.WithDeadlineCause(t.Context(), time.Now().Add(-time.Second), agenthooks.ErrDeadline)
	defer cancel()
	event, _ := protocol.ParseEvent(spec.PreToolCall, []byte(ls), "2026-01-02T03:04:05Z")
	r := agenthooks.Load(s.options).Plan(event).Run(ctx, agenthooks.RunOptions{})
	if !r.Blocked || r.Answer.Reason != "no" || r.Hooks[0].Runs != 0 {
		t.Errorf("%+v", r.Hooks[0])
	}
}

// Each member of the input that may change what a command does prevents a constant
// allow (D78).
func TestConstantAllow(t *testing.T) {
	s := newScratch(t)
	s.answering("allow", "matcher: {tool: Shell, pattern: git status}\nmetadata: {match: commands, answer: {decision: allow}}\n")
	for _, test := range []struct {
		tool, input string
		allows      bool
	}{
		{"Bash", `{"command": "git status"}`, true},
		{"Bash", `{"command": "git status", "description": "d", "timeout": 7}`, true},
		{"Bash", `{"command": "git status", "run_in_background": false}`, true},
		{"Bash", `{"command": "git status", "dangerouslyDisableSandbox": true}`, false},
		{"Bash", `{"command": "git status", "workdir": "/tmp/x"}`, false},
		{"Bash", `{"command": "git status", "command": "rm x"}`, false},
		{"Bash", `{"command": "git status", "Command": "rm x"}`, false},
		{"Bash", `{"command": ["git status", "rm x"]}`, false},
		{"Bash", `{"command": "git status", "env": {"PATH": "x"}}`, false},
		{"Bash", `{"command": "git status\u0000"}`, false},
		{"Bash", `{"command": "git status \ud800"}`, false},
		{"Bash", `{"command": ""}`, false},
		{"Bash", `{}`, false},
		{"PowerShell", `{"command": "git status"}`, false},
		{"write_stdin", `{"session_id": 1, "chars": "git status"}`, false},
		{"mcp__box__run", `{"command": "git status"}`, false},
		{"unknown", `{"command": "git status"}`, false},
		{"Bash", `{"command": "git status; rm x"}`, false},
		{"Bash", `{"command": "git statusx"}`, false},
		{"Bash", `{"command": "xgit status"}`, false},
		{"Bash", `{"command": "git status\nrm x"}`, false},
		{"Bash", `{"command": "cd / && git status"}`, false},
		{"Bash", `{"command": "GIT_DIR=x git status"}`, false},
	} {
		event, _ := protocol.ParseEvent(spec.PreToolCall, fmt.Appendf(nil, `{"tool_name": %q, "tool_input": %s}`, test.tool, test.input), "2026-01-02T03:04:05Z")
		r := agenthooks.Load(s.options).Plan(event).Run(t.Context(), agenthooks.RunOptions{})
		if got := r.Answer.Decision == protocol.Allow; got != test.allows {
			t.Errorf("%s %s: %v (%s)", test.tool, test.input, got, r.Hooks[0].Unvouched)
		}
	}
}
