package agent_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/internal/testenv"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// TestLinearTime checks that no large event takes long to convert, whatever
// its content: it is converted before any guard starts.
func TestLinearTime(t *testing.T) {
	repeated := func(format string) string {
		var s strings.Builder
		for n := 0; s.Len() < 1<<19; n++ {
			fmt.Fprintf(&s, strings.ReplaceAll(format, "N", "%[1]d"), n)
		}
		return s.String()
	}
	for name, payload := range map[string]string{
		"lines of a patch":   `{"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: a\n` + repeated(`-a\n+b\n`) + `"}}`,
		"files of a patch":   `{"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n` + repeated(`*** Update File: fN\n+x\n`) + `"}}`,
		"moves of a patch":   `{"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: a\n+x\n` + repeated(`*** Move to: fN\n`) + `"}}`,
		"keys of an input":   `{"tool_name":"Bash","tool_input":{` + repeated(`"kN":1,`) + `"command":"ls"}}`,
		"a repeated key":     `{"tool_name":"Edit","tool_input":{` + repeated(`"path":"fN",`) + `"command":"ls"}}`,
		"keys of an event":   `{` + repeated(`"kN":1,`) + `"tool_name":"Bash","tool_input":{"command":"ls"}}`,
		"a repeated input":   `{` + repeated(`"tool_input":{"command":"ls"},`) + `"tool_name":"Bash"}`,
		"a list of paths":    `{"tool_name":"read_many_files","tool_input":{"paths":[` + repeated(`"fN",`) + `"x"]}}`,
		"a deep value":       `{"tool_name":"Bash","tool_input":{"a":` + strings.Repeat("[", 500_000) + strings.Repeat("]", 500_000) + `}}`,
		"a long name":        `{"tool_name":"` + repeated(`mcp_N_`) + `","tool_input":{}}`,
		"a long directory":   `{"tool_name":"Bash","tool_input":{},"cwd":"` + repeated(`/N`) + `"}`,
		"words of a command": `{"tool_name":"Bash","tool_input":{"command":"` + repeated(`word N `) + `"}}`,
	} {
		for _, caller := range []string{"claude-code", "codex"} {
			a := agent.Find(caller)
			began := time.Now()
			call, err := a.Decode([]byte(payload), "pre-tool-call")
			if err != nil {
				continue
			}
			e, _ := call.Parse("pre-tool-call", "2026-01-01T00:00:00Z")
			e.Input()
			e.Field("tool_input.command")
			for _, name := range []string{"claude-code", "cursor"} {
				agent.Find(name).Foreign(e, call, script.Hook{Project: "/p", WorkDir: "/p", Dir: "/h"})
			}
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("%s from %s took %v", name, caller, took)
			}
		}
	}
}

// TestLinearChange checks that a change of a tool's input with many keys takes
// little time to apply.
func TestLinearChange(t *testing.T) {
	keys := func(format string) string {
		var s strings.Builder
		for n := range testenv.Rounds(40_000) {
			fmt.Fprintf(&s, format, n)
		}
		return s.String()
	}
	payload := []byte(`{"tool_name":"Bash","tool_input":{` + keys(`"k%d":1,`) + keys(`"command":"%d",`) + `"command":"ls"}}`)
	for name, change := range map[string]string{
		"changed": `{` + keys(`"k%d":2,`) + `"command":"ls"}`,
		"added":   `{` + keys(`"k%d":1,`) + keys(`"n%d":1,`) + `"command":"ls"}`,
		"removed": `{"command":"ls"}`,
		"renamed": `{` + keys(`"n%d":1,`) + `"command":"ls"}`,
	} {
		began := time.Now()
		call, err := agent.Find("codex").Decode(payload, "pre-tool-call")
		if err != nil {
			t.Fatal(err)
		}
		e, _ := call.Parse("pre-tool-call", "2026-01-01T00:00:00Z")
		answer, err := call.Fit(e, protocol.Answer{ModifiedInput: []byte(change), WholeInput: true})
		if err != nil || answer.ModifiedInput == nil {
			t.Fatalf("%s: %v", name, err)
		}
		call.Encode(agent.Verdict{Answer: answer})
		call.Changed(e.WithInput(answer.ModifiedInput))
		f := agent.Find("claude-code").Foreign(e, call, script.Hook{Project: "/p", WorkDir: "/p", Dir: "/h"})
		out := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":` + change + `}}`
		if _, _, err := f.Judge(e, "h", protocol.Exit{Stdout: []byte(out), Event: e}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

// TestDecodeCopiesOnce checks that decoding a large payload allocates little more than one copy of it.
func TestDecodeCopiesOnce(t *testing.T) {
	payload := []byte(`{"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": "/tmp/x", "content": "` + strings.Repeat("x", 8<<20) + `"}}`)
	a := agent.Find("claude-code")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := a.Decode(payload, ""); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got, most := after.TotalAlloc-before.TotalAlloc, uint64(len(payload)+1<<20); got > most {
		t.Errorf("it allocates %d bytes for %d, at most %d", got, len(payload), most)
	}
}
