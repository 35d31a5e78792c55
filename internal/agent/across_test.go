package agent_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// TestAcross checks the input of scripts when another agent calls (D60).
func TestAcross(t *testing.T) {
	text, err := os.ReadFile("testdata/across.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 6 {
			t.Fatalf("%q has %d fields", line, len(f))
		}
		stdin := foreignStdin(t, f[0], f[1], f[2], f[3], f[4])
		for want := range strings.FieldsSeq(f[5]) {
			path, value, _ := strings.Cut(want, "=")
			if got := at(t, stdin, path); got != value {
				t.Errorf("%s calls %s: %s is %s, want %s\n%s", f[0], f[3], path, got, value, stdin)
			}
		}
		var compact bytes.Buffer
		if json.Compact(&compact, stdin) != nil || !bytes.Equal(compact.Bytes(), bytes.TrimSpace(stdin)) {
			t.Errorf("%s calls %s: the payload has spaces between its tokens: %s", f[0], f[3], stdin)
		}
	}
}

// foreignStdin returns the input of a script for another agent.
func foreignStdin(t *testing.T, caller, event, payload, system, native string) []byte {
	t.Helper()
	if event == "-" {
		event = ""
	}
	if native == "-" {
		native = ""
	}
	call, err := agent.Find(caller).Decode([]byte(payload), event)
	if err != nil {
		t.Fatalf("%s: %v", payload, err)
	}
	e, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
	foreign := agent.Find(system).Foreign(e, call, script.Hook{Project: "/repo", WorkDir: "/repo", Event: native})
	if foreign == nil {
		t.Fatalf("%s has no event for %s", system, payload)
	}
	return foreign.Stdin
}

// at returns the JSON at a dotted path, with escaped spaces; "" if there is none.
func at(t *testing.T, object []byte, path string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(object, &value); err != nil {
		t.Fatalf("%s: %v", object, err)
	}
	for key := range strings.SplitSeq(path, ".") {
		members, _ := value.(map[string]any)
		inner, ok := members[key]
		if !ok {
			return ""
		}
		value = inner
	}
	text, _ := json.Marshal(value)
	return strings.ReplaceAll(string(text), " ", `\u0020`)
}

// TestChangedInput checks the effect of a script that changes the input: whether keys that it omits
// are removed depends on the script's agent.
func TestChangedInput(t *testing.T) {
	const bash = `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"rm","description":"x"}}`
	const kimi = `{"hook_event_name":"PreToolUse","session_id":"s","client_type":"cli","tool_name":"Write","tool_input":{"path":"/a","content":"x"}}`
	const patch = `{"hook_event_name":"PreToolUse","session_id":"s","turn_id":"t","model":"m","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: a\n-x\n+y\n*** End Patch"}}`
	const write = `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Write","tool_input":{"file_path":"/a","content":"x"}}`
	const create = `{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"t","cwd":"/","tool_name":"create_file","tool_input":{"filePath":"/a","file_path":"/b","content":"x"}}`
	const raw = `{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"t","cwd":"/","tool_name":"Edit","tool_input":INPUT}`
	const a, b = `*** Begin Patch\n*** Update File: a\n-x\n+y\n*** End Patch`, `*** Begin Patch\n*** Update File: b\n-x\n+y\n*** End Patch`
	const allow = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":INPUT}}`
	for _, c := range []struct{ caller, payload, script, answer, input, want string }{
		{"claude-code", bash, "claude-code", allow, `{"command":"ls"}`, `{"command":"ls"}`},
		{"claude-code", bash, "crush", `{"updated_input":INPUT}`, `{"command":"ls"}`, `{"command":"ls","description":"x"}`},
		{"claude-code", bash, "gemini-cli", `{"hookSpecificOutput":{"tool_input":INPUT}}`, `{"command":"ls","description":"x"}`, `{"command":"ls","description":"x"}`},
		{"claude-code", bash, "gemini-cli", `{"hookSpecificOutput":{"tool_input":INPUT}}`, `{"command":"ls"}`, `{"command":"ls"}`},
		{"kimi-code", kimi, "claude-code", allow, `{"file_path":"/b","content":"x"}`, `{"path":"/b","content":"x"}`},
		{"kimi-code", kimi, "claude-code", allow, `{"file_path":"/a","content":"x"}`, ""},
		{"kimi-code", kimi, "claude-code", allow, `{"file_path":"/a"}`, `{"path":"/a"}`},
		{"kimi-code", kimi, "claude-code", allow, `{"file_path":"\u002fa","content":"x"}`, ""},
		{"claude-code", write, "hermes", `{"action":"modify","args":INPUT}`, `{"path":"/b","content":"x"}`, `{"file_path":"/b","content":"x"}`},
		{"copilot", strings.Replace(create, `"file_path":"/b",`, "", 1), "claude-code", allow, `{"file_path":"/b","content":"x"}`, `{"filePath":"/b","content":"x"}`},
		{"copilot", create, "claude-code", allow, `{"file_path":"/b","content":"y"}`, `{"filePath":"/a","file_path":"/b","content":"y"}`},
		{"copilot", create, "claude-code", allow, `{"file_path":"/c","content":"x"}`, `{"filePath":"/a","file_path":"/c","content":"x"}`},
		{"codex", patch, "claude-code", allow, `{"file_path":"/repo/a","old_string":"x","new_string":"y"}`, ""},
		{"codex", patch, "claude-code", allow, `{"file_path":"/repo/b","old_string":"x","new_string":"y"}`, "deny"},
		{"codex", patch, "claude-code", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":INPUT}}`, `{"file_path":"/repo/a","old_string":"x","new_string":"z"}`, "deny"},
		{"copilot", strings.Replace(raw, "INPUT", `"`+a+`"`, 1), "codex", allow, `{"command":"` + b + `"}`, `"` + b + `"`},
		{"copilot", strings.Replace(raw, "INPUT", `"`+a+`"`, 1), "codex", allow, `{"command":"` + a + `"}`, ""},
		{"copilot", strings.Replace(raw, "INPUT", `"`+a+`"`, 1), "codex", allow, `{"command":"` + b + `","more":1}`, "error"},
		{"copilot", strings.Replace(raw, "INPUT", `"`+a+`"`, 1), "claude-code", allow, `{"file_path":"/repo/b","old_string":"x","new_string":"y"}`, "deny"},
		{"copilot", strings.Replace(raw, "INPUT", `{"input":"`+a+`"}`, 1), "codex", allow, `{"command":"` + b + `"}`, `{"input":"` + b + `"}`},
	} {
		call, err := agent.Find(c.caller).Decode([]byte(c.payload), "")
		if err != nil {
			t.Fatal(err)
		}
		e, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
		foreign := agent.Find(c.script).Foreign(e, call, script.Hook{Project: "/repo", WorkDir: "/repo"})
		answer, _, err := foreign.Judge(e, "h", protocol.Exit{Stdout: []byte(strings.Replace(c.answer, "INPUT", c.input, 1))})
		if err == nil {
			answer, err = call.Fit(e, answer)
		}
		got := ""
		switch {
		case err != nil:
			got = "error"
		case answer.Decision == protocol.Deny:
			got = "deny"
			if !strings.Contains(answer.Reason, c.input) {
				t.Errorf("%s calls %s: the reason of the deny lacks the change: %s", c.caller, c.script, answer.Reason)
			}
		case answer.ModifiedInput != nil:
			next := call.Agent.Foreign(e.WithInput(answer.ModifiedInput), call, script.Hook{})
			got = strings.ReplaceAll(at(t, next.Stdin, "tool_input"), `\u0020`, " ")
			var sorted any
			_ = json.Unmarshal([]byte(c.want), &sorted)
			want, _ := json.Marshal(sorted)
			c.want = string(want)
		}
		if got != c.want {
			t.Errorf("%s calls %s, which answers %s: %s, want %s (%v)", c.caller, c.script, c.input, got, c.want, err)
		}
	}
}

// TestIgnoredEdit checks that a change that cannot be applied can be dropped (D45), and then allows
// nothing.
func TestIgnoredEdit(t *testing.T) {
	const patch = `{"hook_event_name":"PreToolUse","session_id":"s","turn_id":"t","model":"m","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: a\n-x\n+y\n*** End Patch"}}`
	const answer = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"file_path":"/repo/b","old_string":"x","new_string":"y"}}}`
	call, err := agent.Find("codex").Decode([]byte(patch), "")
	if err != nil {
		t.Fatal(err)
	}
	e, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
	foreign := agent.Find("claude-code").Foreign(e, call, script.Hook{Project: "/repo", WorkDir: "/repo", IgnoreEdits: true})
	got, warnings, err := foreign.Judge(e, "h", protocol.Exit{Stdout: []byte(answer)})
	if err != nil || got.Decision != protocol.NoOpinion || got.ModifiedInput != nil || len(warnings) != 1 {
		t.Errorf("%+v, %q, %v", got, warnings, err)
	}
}
