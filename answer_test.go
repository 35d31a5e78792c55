package agenthooks_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// A block in place of a question of the administrator's offers no override: the user's
// hooks.toml does not apply to it.
func TestManagedException(t *testing.T) {
	for _, managed := range []bool{false, true} {
		s := newScratch(t)
		s.answering("ask", "matcher: {tool: Shell, pattern: ^ls}\nmetadata: {match: commands, answer: {decision: ask, reason: \"ls?\"}}\n")
		event, _ := protocol.ParseEvent(spec.PreToolCall, []byte(ls), "2026-01-02T03:04:05Z")
		plan := agenthooks.Load(s.options).Plan(event)
		if managed {
			plan.Rows[0].Manage()
		}
		r := plan.Run(t.Context(), agenthooks.RunOptions{})
		if !r.Blocked || strings.Contains(r.Answer.Reason, "hooks.toml") == managed {
			t.Errorf("managed %t: %q", managed, r.Answer.Reason)
		}
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

// A constant allow for paths or URLs covers all of them, each by its one name, and
// every other member of the input that could change what the tool does (D96).
func TestConstantAllowCovers(t *testing.T) {
	s := newScratch(t)
	const paths, urls = "src", "docs"
	s.answering(paths, "matcher: {tool: Read|Write|Edit|Grep|Glob|read_many_files|apply_patch|Delete, pattern: '\\$PROJECT/src/.*'}\nmetadata: {match: paths, unless: ['.*/secret'], answer: {decision: allow}}\n")
	s.answering(urls, "matcher: {tool: WebFetch|mcp__x__get, pattern: 'https://docs\\.python\\.org/.*'}\nmetadata: {answer: {decision: allow}}\n")
	s.answering("found", "matcher: {tool: Read|Write, pattern: '^src/'}\nmetadata: {answer: {decision: allow}}\n")
	s.answering("when", "matcher: {tool: LS, pattern: '\\$PROJECT.*'}\nmetadata: {match: paths, when: {permission_mode: plan}, answer: {decision: allow}}\n")
	root := s.project
	for _, dir := range []string{"src", "lib"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"src/out": "../lib", "src/file": "/etc/passwd", "in": "src", "src/process": "/proc/self/cwd", "src/loop": "loop"} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	for _, test := range []struct {
		call   string
		allows bool
	}{
		{`"tool_name": "Write", "tool_input": {"file_path": "src/x", "content": "/etc/x ../y https://evil"}`, true},
		{`"tool_name": "Write", "tool_input": {"file_path": "ROOT/src/a/x", "content": ""}`, true},
		{`"tool_name": "Edit", "tool_input": {"file_path": "src/x", "old_string": "a", "new_string": "b", "replace_all": true}`, true},
		{`"tool_name": "Read", "tool_input": {"file_path": "src/x", "offset": 3, "limit": 10}`, true},
		{`"tool_name": "Read", "tool_input": {"file_path": "in/x"}`, true},
		{`"tool_name": "Grep", "tool_input": {"pattern": "a/b", "path": "src/x", "output_mode": "content", "-A": 3}`, true},
		{`"tool_name": "apply_patch", "tool_input": {"input": "*** Begin Patch\n*** Update File: src/x\n*** End Patch"}`, true},
		{`"tool_name": "Write", "tool_input": {"file_path": "src/../../../../../etc/cron.d/x"}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "src/../src/x"}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "src/out/x"}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "src/file"}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "in"}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "lib/src/x"}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "/src/x"}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "src/secret"}`, false},
		{`"tool_name": "Read", "tool_input": {"file_path": "/proc/self/root/ROOT/src/x"}`, false},
		{`"tool_name": "Read", "tool_input": {"file_path": "src/process/ROOT/src/x"}`, false},
		{`"tool_name": "Read", "tool_input": {"file_path": "src/loop"}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "src/*"}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "~/src/x"}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "src/x\n/etc/x"}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "src/x", "file_path": "/etc/x"}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "src/x", "path": "/etc/x"}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "src/x", "target": "/etc/x"}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "src/x", "sudo": true}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "src/x", "url": "https://evil/"}`, false},
		{`"tool_name": "Write", "tool_input": {"file_path": "src/x", "cwd": "/etc"}`, false},
		{`"tool_name": "Write", "tool_input": {"content": "x"}`, false},
		{`"tool_name": "Grep", "tool_input": {"pattern": "x", "path": "src/x", "glob": "/etc/*"}`, false},
		{`"tool_name": "Glob", "tool_input": {"pattern": "../*", "path": "src/x"}`, false},
		{`"tool_name": "read_many_files", "tool_input": {"paths": ["src/x", "/etc/shadow"]}`, false},
		{`"tool_name": "apply_patch", "tool_input": {"input": "*** Begin Patch\n*** Update File: src/x\n*** Delete File: /home/me/.bashrc\n*** End Patch"}`, false},
		{`"tool_name": "apply_patch", "tool_input": {"input": "*** Begin Patch\n*** Update File: src/x\n*** Move to: /etc/x\n*** End Patch"}`, false},
		{`"tool_name": "apply_patch", "tool_input": {"input": "*** Begin Patch\n***Delete File: /etc/x\n*** Update File: src/x\n*** End of File\n*** End Patch"}`, false},
		{`"tool_name": "WebFetch", "tool_input": {"url": "https://docs.python.org/3/", "prompt": "what is http://evil/?"}`, true},
		{`"tool_name": "WebFetch", "tool_input": {"url": "http://evil/", "prompt": "https://docs.python.org/"}`, false},
		{`"tool_name": "WebFetch", "tool_input": {"url": "https://docs.python.org/?u=http://evil/"}`, false},
		{`"tool_name": "WebFetch", "tool_input": {"url": "https://docs.python.org/a/../b"}`, false},
		{`"tool_name": "WebFetch", "tool_input": {"url": "https://docs.python.org/%2e%2e/b"}`, false},
		{`"tool_name": "WebFetch", "tool_input": {"url": "http://evil/https://docs.python.org/"}`, false},
		{`"tool_name": "WebFetch", "tool_input": {"url": "https://docs.python.org/", "urls": ["http://evil/"]}`, false},
		{`"tool_name": "WebFetch", "tool_input": {"url": "https://docs.python.org/", "proxy": "http://evil/"}`, false},
		{`"tool_name": "WebFetch", "tool_input": {"prompt": "https://docs.python.org/"}`, false},
		{`"tool_name": "mcp__x__get", "tool_input": {"url": "https://docs.python.org/", "headers": {"x": "y"}}`, false},
		{`"tool_name": "mcp__x__get", "tool_input": {"url": "https://docs.python.org/", "output": "/etc/x"}`, false},
		{`"tool_name": "LS", "tool_input": {"path": "."}, "permission_mode": "plan"`, true},
		{`"tool_name": "LS", "tool_input": {"path": "."}, "permission_mode": "planless"`, false},
	} {
		call := strings.ReplaceAll("{"+test.call+`, "work_dir": "ROOT"}`, "ROOT", root)
		event, _ := protocol.ParseEvent(spec.PreToolCall, []byte(call), "2026-01-02T03:04:05Z")
		r := agenthooks.Load(s.options).Plan(event).Run(t.Context(), agenthooks.RunOptions{})
		if got := r.Answer.Decision == protocol.Allow; got != test.allows {
			t.Errorf("%s: %v", call, got)
			for _, h := range r.Hooks {
				t.Logf("%s: %s", h.Hook, h.Unvouched)
			}
		}
	}
}
