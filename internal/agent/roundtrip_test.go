package agent_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// TestRoundTrip checks that a script for the calling agent has the same effect
// as when the agent calls it directly (D61). Each fixture's native answer is the
// output of such a script.
func TestRoundTrip(t *testing.T) {
	for _, a := range agent.All() {
		paths, _ := filepath.Glob(filepath.Join("testdata", a.Name, "*.txt"))
		for _, path := range paths {
			f := readFixture(t, path)
			call, err := a.Decode([]byte(f["payload"]), f["event"])
			if err != nil || len(call.Events) == 0 || f["status"] == "" || call.Gates == 0 {
				continue
			}
			event, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
			foreign := a.Foreign(event, call, script.Hook{Project: "/repo", WorkDir: "/repo", Dir: "/hook"})
			if foreign == nil || !foreign.Own || foreign.Row != call.Row {
				t.Errorf("%s: not its own", path)
				continue
			}
			want := []byte(f["payload"])
			if a.Name == "claude-code" {
				want = append(want, '\n')
			}
			if a.Converses {
				lines := bytes.SplitAfter(foreign.Stdin, []byte("\n"))
				for i, line := range lines[:len(lines)-1] {
					if hello := bytes.Contains(line, []byte("hook.hello")); hello != (i == 0) || !hello && !bytes.HasSuffix(line, append(want, "}\n"...)) {
						t.Errorf("%s: stdin is %s", path, foreign.Stdin)
					}
				}
			} else if !bytes.Equal(foreign.Stdin, want) {
				t.Errorf("%s: stdin is %s", path, foreign.Stdin)
			}
			status, _ := strconv.Atoi(f["status"])
			exit := protocol.Exit{Status: status, Stdout: []byte(f["stdout"]), Stderr: []byte(f["stderr"])}
			answer, _, err := foreign.Judge(event, "h", exit)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			fitted, err := call.Fit(event, answer)
			if err != nil {
				t.Errorf("%s: fit: %v", path, err)
				continue
			}
			out := call.Encode(agent.Verdict{Answer: fitted, Hook: "guard"})
			again, _, err := foreign.Judge(event, "h", protocol.Exit{Status: out.Status, Stdout: out.Stdout, Stderr: []byte(out.Stderr)})
			if got, first := effect(again, err), effect(answer, nil); got != first {
				t.Errorf("%s: the agent gets %q, the script meant %q\nscript: %d %s%s\nanswer: %d %s%s", path, got, first,
					status, f["stdout"], f["stderr"], out.Status, out.Stdout, out.Stderr)
			}
		}
	}
}

// TestForeignInput checks that a changed input replaces only the input in the
// caller's bytes.
func TestForeignInput(t *testing.T) {
	for name, c := range map[string]struct{ payload, event, change, want string }{
		"claude-code": {`{"hook_event_name":"PreToolUse",  "tool_name":"Bash","tool_input":{"command":"rm", "description":"x"},"z":1.0}`, "",
			`{"command": "ls"}`, `{"hook_event_name":"PreToolUse",  "tool_name":"Bash","tool_input":{"command":"ls","description":"x"},"z":1.0}` + "\n"},
		"j-cli": {`{"event":"pre_tool_execution","tool_name":"Bash","tool_arguments":"{\"command\":\"rm\"}","z":1.0}`, "",
			`{"command": "ls"}`, `{"event":"pre_tool_execution","tool_name":"Bash","tool_arguments":"{\"command\":\"ls\"}","z":1.0}`},
		"copilot": {`{"sessionId":"s","timestamp":1,"toolName":"bash","toolArgs":{"command":"rm"}}`, "preToolUse",
			`{"command": "ls"}`, `{"sessionId":"s","timestamp":1,"toolName":"bash","toolArgs":{"command":"ls"}}`},
		"copilot-text": {`{"sessionId":"s","timestamp":1,"toolName":"bash","toolArgs":"{\"command\":\"rm\"}"}`, "preToolUse",
			`{"command": "ls"}`, `{"sessionId":"s","timestamp":1,"toolName":"bash","toolArgs":"{\"command\":\"ls\"}"}`},
		"antigravity": {`{"conversationId":"s","toolCall":{"name":"run_command","args":{"CommandLine":"rm","Cwd":"/"}},"stepIdx":3}`, "PreToolUse",
			`{"command": "ls"}`, `{"conversationId":"s","toolCall":{"name":"run_command","args":{"CommandLine":"ls","Cwd":"/"}},"stepIdx":3}`},
		"windsurf": {`{"agent_action_name":"pre_run_command","tool_info":{"command_line":"rm","cwd":"/"}}`, "",
			`{"command": "ls"}`, `{"agent_action_name":"pre_run_command","tool_info":{"command_line":"ls","cwd":"/"}}`},
	} {
		a := agent.Find(strings.TrimSuffix(name, "-text"))
		call, err := a.Decode([]byte(c.payload), c.event)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		event, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
		answer, err := call.Fit(event, protocol.Answer{ModifiedInput: []byte(c.change)})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := a.Foreign(event.WithInput(answer.ModifiedInput), call, script.Hook{}).Stdin
		if string(got) != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// effect is describe without what agent-hooks changes: the name of the hook
// that decided, and the spacing of an input.
func effect(a protocol.Answer, err error) string {
	a.Reason, a.StopReason = strings.TrimPrefix(a.Reason, "hook guard: "), strings.TrimPrefix(a.StopReason, "hook guard: ")
	if a.ModifiedInput != nil {
		var b bytes.Buffer
		if json.Compact(&b, a.ModifiedInput) == nil {
			a.ModifiedInput = b.Bytes()
		}
	}
	return describe(a, err)
}
