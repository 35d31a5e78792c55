package cases

import (
	"encoding/json"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// FuzzCase reads any text as a case. The event must be valid JSON for a hook and survive a
// round trip, and adding an expectation must change nothing else.
func FuzzCase(f *testing.F) {
	for _, seed := range []string{
		"sample: rm-rf\npatch: {tool_input: {command: ls}}\nexpect: {decision: none}\n",
		"event:\n  tool_name: Bash # x\n  tool_input:\n    command: |\n      a\n      b\nexpect:\n  reason: 'x'\n  # y\n  exit: 2\n",
		`{"event": {"a": [1, 2.5e3, true, null, "\ud83d\ude00 {{work_dir}}"]}, "expect": {"exit": 2}}`,
		"expect: &a {exit: 2}\nevent: {x: *a, 2026-01-02: yes, y: 0x1f}\n", "", "{}", "- a", "\ufeffexpect: {}\r\n", "a: {b: [c, \"d\", 'e']}",
		"files: {a/b: c}\nsetup: x\nenv: {A: null}\nexpect: {files: {'*': null}}", "expect: {modified_input: {a: {b: c}}, max_ms: 5}",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, text string, isJSON bool) {
		name := "a.yaml"
		if isJSON {
			name = "a.json"
		}
		c := parsed(name, text)
		if c.event.value != nil {
			checkEvent(t, c)
		}
	})
}

func checkEvent(t *testing.T, c *Case) {
	event := replaced(c.event.value, []string{workDir, "/w \"q\"\\", homeDir, "/h"})
	raw := encode(event)
	if !json.Valid(raw) {
		t.Fatalf("the event is not JSON: %s", raw)
	}
	s := &source{bytes: raw}
	if again := s.parseJSON(); again == nil || len(s.diagnostics) > 0 || !same(again, event) {
		t.Fatalf("the event %s differs when it is read again: %v", raw, s.diagnostics)
	}
}

// FuzzForms compares the two forms: JSON is also YAML, except for input that the YAML parser
// rejects.
func FuzzForms(f *testing.F) {
	for _, seed := range []string{
		`{"event": {"a": [1, 2.5e3, true, null, "x y: z #"]}, "expect": {"exit": 2, "decision": "deny", "reason": "a|b"}}`,
		`{"description": "d", "sample": "claude/PreToolUse", "patch": {"tool_input": {"command": "ls"}}, "expect": {"fires": false}}`,
		`{"files": {"a": "b"}, "env": {"A": "1"}, "setup": "true", "expect": {}}`,
		"{\"setup\": \"\x7f\u0085\ufeff\uffff\"}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a := parsed("a.json", text)
		if a.root == nil || len(a.Diagnostics) > 0 {
			return
		}
		// In our own encoding, because YAML has other escapes and no lone surrogates.
		b := parsed("a.yaml", string(encode(requoted(a.root))))
		if len(b.Diagnostics) > 0 {
			if longKey(a.root) {
				return
			}
			t.Fatalf("%s as YAML: %v", encode(requoted(a.root)), b.Diagnostics)
		}
		if !same(requoted(a.root), b.root) || string(encode(requoted(a.event.value))) != string(encode(b.event.value)) {
			t.Fatalf("%s as YAML is %s", encode(a.root), encode(b.root))
		}
	})
}

// longKey reports whether v has a key or number that the YAML parser rejects or misinterprets.
func longKey(v *tree.Node) bool {
	for _, c := range v.Children {
		if len(c.Key) > 500 || longKey(c) {
			return true
		}
	}
	return false
}
