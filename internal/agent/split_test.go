package agent_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestSplit checks how a call with several files is divided for hooks whose
// agent passes one file per call.
func TestSplit(t *testing.T) {
	const (
		codex   = `{"hook_event_name":"PreToolUse","session_id":"s","turn_id":"t","model":"m","cwd":"/repo","tool_name":"TOOL","tool_input":{"command":"TEXT"}}`
		copilot = `{"sessionId":"s","timestamp":1,"cwd":"/repo","toolName":"apply_patch","toolArgs":"TEXT"}`
		gemini  = `{"hook_event_name":"BeforeTool","session_id":"s","cwd":"/repo","timestamp":"2026-01-01T00:00:00Z","tool_name":"TOOL","tool_input":TEXT}`
		two     = `*** Begin Patch\n*** Update File: a\n-x\n+y\n*** Add File: b\n+z\n*** End Patch`
		hidden  = `*** Begin Patch\n*** Add File: a\n+x\n\u00a0\v*** Delete File: b\n*** End Patch`
		stray   = `*** Begin Patch\n*** Move to: a\n*** Update File: b\n*** Move to: c\n*** Move to: d\n*** End Patch`
		one     = `*** Begin Patch\n*** Add File: b\n+z\n*** End Patch`
		moved   = `*** Begin Patch\n*** Update File: a\n*** Move to: b\n-x\n+y\n*** End Patch`
	)
	for _, c := range []struct{ caller, payload, tool, text, hook, want string }{
		{"codex", codex, "apply_patch", two, "claude-code", "Edit /repo/a y, Write /repo/b z"},
		{"codex", codex, "apply_patch", two, "gemini-cli", "replace /repo/a y, write_file /repo/b z"},
		{"codex", codex, "apply_patch", moved, "claude-code", "Edit /repo/a y, Edit /repo/b y"},
		{"codex", codex, "apply_patch", strings.ReplaceAll(hidden, `\v`, `\u000b`), "claude-code", "Write /repo/a x, Edit /repo/b "},
		{"codex", codex, "apply_patch", stray, "claude-code", "Edit /repo/a , Edit /repo/b , Edit /repo/c , Edit /repo/d "},
		{"codex", codex, "apply_patch", one, "claude-code", ""},
		{"codex", codex, "apply_patch", two, "codex", ""},
		{"codex", codex, "Bash", `apply_patch <<E\n` + one + `\nE`, "claude-code", "Bash  , Write /repo/b z"},
		{"codex", codex, "Bash", "ls", "claude-code", ""},
		{"copilot", copilot, "", two, "claude-code", "Edit /repo/a y, Write /repo/b z"},
		{"copilot", copilot, "", one, "claude-code", ""},
		{"copilot", strings.Replace(copilot, "apply_patch", "Edit", 1), "", two, "claude-code", "Edit /repo/a y, Write /repo/b z"},
		{"copilot", strings.Replace(copilot, "apply_patch", "Edit", 1), "", two, "codex", ""},
		{"copilot", strings.Replace(copilot, `"TEXT"`, `{"path":"c","note":"TEXT"}`, 1), "", two, "claude-code", "Edit /repo/a y, Write /repo/b z, Edit /repo/c "},
		{"gemini-cli", gemini, "replace", `{"instruction":"` + two + `"}`, "claude-code", "Edit /repo/a y, Write /repo/b z"},
		{"gemini-cli", gemini, "write_file", `{"content":"` + two + `"}`, "claude-code", "Edit /repo/a y, Write /repo/b z"},
		{"gemini-cli", gemini, "write_file", `{"content":"` + one + `"}`, "claude-code", ""},
		{"gemini-cli", gemini, "write_file", `{"file_path":"doc","content":"` + two + `"}`, "claude-code", ""},
		{"gemini-cli", gemini, "read_many_files", `{"include":["a","b"]}`, "claude-code", "Read /repo/a , Read /repo/b "},
		{"gemini-cli", gemini, "read_many_files", `{"include":["a","b"],"note":"*** Add File: c\n*** Add File: d"}`, "claude-code", "Read /repo/a , Read /repo/b "},
		{"gemini-cli", gemini, "read_file", `{"absolute_path":"/a"}`, "claude-code", ""},
		{"gemini-cli", gemini, "grep_search", `{"pattern":"x","dir_path":"a","path":"b"}`, "claude-code", ""},
		{"gemini-cli", gemini, "run_shell_command", `{"command":"ls"}`, "claude-code", ""},
	} {
		payload := strings.NewReplacer("TOOL", c.tool, "TEXT", c.text).Replace(c.payload)
		event := map[string]string{"copilot": "preToolUse"}[c.caller]
		call, err := agent.Find(c.caller).Decode([]byte(payload), event)
		if err != nil {
			t.Fatal(err)
		}
		whole, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
		var got []string
		for _, part := range split(t, c.hook, whole, call) {
			stdin := string(agent.Find(c.hook).Foreign(part, call, script.Hook{Project: "/repo", WorkDir: "/repo"}).Stdin)
			input, _ := decodeObject(t, stdin)["tool_input"].(map[string]any)
			path, _ := input["file_path"].(string)
			name, _ := decodeObject(t, stdin)["tool_name"].(string)
			text, _ := cmp.Or(input["new_string"], input["content"]).(string)
			got = append(got, strings.Join([]string{name, path, text}, " "))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s %s for %s: %q, want %q", c.caller, c.tool, c.hook, text, c.want)
		}
	}
}

// TestTextsOfPatches checks that a file's new content, or a comment, that looks
// like a patch does not hide the file from a hook for another agent.
func TestTextsOfPatches(t *testing.T) {
	const header = `*** Add File: /repo/harmless\n+x`
	for _, input := range []string{
		`{"file_path":"/repo/.env","content":"` + header + `"}`,
		`{"file_path":"/repo/.env","content":"x","note":"` + header + `"}`,
		`{"file_path":"/repo/.env","note":"*** Add File: /repo/.env\n+x"}`,
	} {
		for _, hook := range []string{"claude-code", "codex"} {
			payload := `{"hook_event_name":"BeforeTool","session_id":"s","cwd":"/repo","timestamp":"2026-01-01T00:00:00Z","tool_name":"write_file","tool_input":` + input + `}`
			call, err := agent.Find("gemini-cli").Decode([]byte(payload), "")
			if err != nil {
				t.Fatal(err)
			}
			event, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
			stdin := string(agent.Find(hook).Foreign(event, call, script.Hook{Project: "/repo", WorkDir: "/repo"}).Stdin)
			sent, _ := decodeObject(t, stdin)["tool_input"].(map[string]any)
			path, _ := sent["file_path"].(string)
			if patch, _ := sent["command"].(string); hook == "codex" {
				_, path, _ = strings.Cut(patch, " File: ")
				path, _, _ = strings.Cut(path, "\n")
			}
			if path != "/repo/.env" {
				t.Errorf("%s reads %s of %s", hook, stdin, input)
			}
		}
	}
	// Lines of a new file in a patch may look like headers.
	payload := `{"hook_event_name":"PreToolUse","session_id":"s","turn_id":"t","model":"m","cwd":"/repo","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: .env\n+*** Add File: harmless\n*** Add File: b\n+z\n*** End Patch"}}`
	call, err := agent.Find("codex").Decode([]byte(payload), "")
	if err != nil {
		t.Fatal(err)
	}
	event, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
	for i, part := range split(t, "claude-code", event, call) {
		stdin := string(agent.Find("claude-code").Foreign(part, call, script.Hook{Project: "/repo", WorkDir: "/repo"}).Stdin)
		if want := []string{`"/repo/.env"`, `"/repo/b"`}[i]; !strings.Contains(stdin, `"file_path":`+want) {
			t.Errorf("part %d is %s", i, stdin)
		}
	}
}

// TestSplitWithoutCaller checks how calls in the format's own form are divided.
// Their patches may lack a list of files, or list other files.
func TestSplitWithoutCaller(t *testing.T) {
	const two = `"*** Begin Patch\n*** Update File: a\n-x\n+y\n*** Add File: b\n+z\n*** End Patch"`
	for input, want := range map[string]string{
		`{"patch":` + two + `}`:                                 "/repo/a /repo/b",
		`{"patch":` + two + `,"file_paths":["a","b"]}`:          "/repo/a /repo/b",
		`{"patch":` + two + `,"file_path":"c"}`:                 "/repo/a /repo/b /repo/c",
		`{"file_paths":["a","b"]}`:                              "/repo/a /repo/b",
		`{"file_paths":["a"],"file_path":"a"}`:                  "",
		`{"file_path":"c","new_string":` + two + `}`:            "",
		`{"patch":"*** Delete File: a\n*** Delete File: .env"}`: "/repo/a /repo/.env",
	} {
		event, _ := protocol.ParseEvent(spec.PreToolCall, []byte(`{"tool_name":"EditFile","tool_input":`+input+`}`), "2026-01-01T00:00:00Z")
		var got []string
		for _, part := range split(t, "claude-code", event, nil) {
			stdin := string(agent.Find("claude-code").Foreign(part, nil, script.Hook{Project: "/repo", WorkDir: "/repo"}).Stdin)
			sent, _ := decodeObject(t, stdin)["tool_input"].(map[string]any)
			path, _ := sent["file_path"].(string)
			got = append(got, path)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %q, want %q", input, text, want)
		}
	}
}

func split(t *testing.T, hook string, event *protocol.Event, caller *agent.Call) []*protocol.Event {
	t.Helper()
	parts, err := agent.Find(hook).Split(event, caller)
	if err != nil {
		t.Fatal(err)
	}
	return parts
}

// TestSplitIsBounded checks that the parts of a call are limited in number and
// in size, before they are made.
func TestSplitIsBounded(t *testing.T) {
	t.Parallel()
	repeated := func(format string, n int) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, format, i)
		}
		return s.String()
	}
	large := strings.Repeat("x", 1<<20)
	for name, c := range map[string]struct {
		input string
		fits  bool
	}{
		"paths":                {`{"file_paths":[` + repeated(`"f%d",`, spec.MaxParts-1) + `"x"]}`, true},
		"more paths":           {`{"file_paths":[` + repeated(`"f%d",`, 50_000) + `"x"]}`, false},
		"a large input":        {`{"note":"` + large + `","file_paths":[` + repeated(`"f%d",`, 20) + `"x"]}`, true},
		"repeated often":       {`{"note":"` + large + `","file_paths":[` + repeated(`"f%d",`, 500) + `"x"]}`, false},
		"a patch":              {`{"patch":"` + repeated(`*** Delete File: f%d\n`, spec.MaxParts) + `"}`, true},
		"a longer patch":       {`{"patch":"` + repeated(`*** Delete File: f%d\n`, spec.MaxParts+1) + `"}`, false},
		"moves of a large one": {`{"patch":"*** Update File: a\n+` + large + `\n` + repeated(`*** Move to: f%d\n`, 500) + `"}`, false},
	} {
		event, _ := protocol.ParseEvent(spec.PreToolCall, []byte(`{"tool_name":"EditFile","tool_input":`+c.input+`}`), "2026-01-01T00:00:00Z")
		if parts, err := agent.Find("claude-code").Split(event, nil); (err == nil) != c.fits || (len(parts) > 1) != c.fits {
			t.Errorf("%s: %d parts, %v", name, len(parts), err)
		}
	}
}
