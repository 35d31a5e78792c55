package reading

import (
	"bytes"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
)

func TestReadEvent(t *testing.T) {
	for _, c := range []struct{ event, want string }{ // "!" if it cannot be read
		{`{"tool_name": "Bash", "tool_input": {"command": "ls"}}`, "ls\n"},
		{`{"tool_name": "Bash", "tool_input": {"command": ["bash", "-lc", "rm x"]}}`, "bash -lc 'rm x'\nrm x\n"},
		{`{"tool_name": "Bash", "tool_input": {"commands": ["a", "b"]}}`, "a\nb\na b\n"},
		{`{"tool_name": "Bash", "tool_input": {"commands": ["a b", "c"]}}`, "a b\nc\n"},
		{`{"tool_name": "x", "tool_input": {"CommandLine": "a"}}`, "a\n"},
		{`{"tool_name": "x", "tool_input": {"shell_cmd": "a", "n": [{"bashCommand2": "b"}]}}`, "b\na\n"},
		{`{"tool_name": "x", "tool_input": {"command": "rm", "args": ["-rf", "/"]}}`, "rm -rf /\n"},
		{`{"tool_name": "mcp__x__y", "tool_input": {"script": "a"}}`, "a\n"},
		{`{"tool_name": "mcp__x__y", "tool_input": {"max_commands": 5}}`, ""},
		{`{"tool_name": "Write", "tool_input": {"file_path": "a", "content": "{\"scripts\": {\"test\": \"rm -rf /\"}}"}}`, ""},
		{`{"tool_name": "Bash", "tool_name": "Write", "tool_input": {"command": "a"}}`, "a\n"},
		{`{"tool_name": "Bash", "tool_input": {"command": "<<X\n*** Begin Patch\n*** Add File: a\nX\nrm -rf /"}}`, "<< X\nrm -rf /\n"},
		{`{"tool_name": "Bash", "tool_input": {"command": "", "description": "rm x"}}`, ""},
		{`{"tool_name": "Bash", "tool_input": {"command": [null]}}`, "!"},
		{`{"type": "exec", "details": {"command": "a", "rootCommand": "a, b (>)"}}`, "a\n"},
		{`{"tool_name": "Bash", "tool_input": {"command": "a", "command": "b"}}`, "a\nb\n"},
		{`{"tool_name": "Bash", "tool_input": {"command": "a"}, "tool_input": {}}`, "a\n"},
		{`{"tool_name": "Bash", "tool_input": "{\"command\": \"a\"}"}`, "a\n"},
		{`{"tool_name": "Bash", "tool_input": {"line": "a"}}`, "a\n"},
		{`{"tool_name": "Bash", "tool_input": {"command": {"line": "a"}}}`, "a\n"},
		{`{"tool_name": "Bash", "tool_input": {"restart": true}}`, ""},
		{`{"tool_name": "Bash", "tool_input": {"command": {"timeout": 5}}}`, ""},
		{`{"tool_name": "Bash", "tool_input": {}}`, "!"},
		{`{"tool_name": "Bash"}`, "!"},
		{`{"tool_name": "Bash", "tool_input": {"command": 5}}`, "!"},
		{`{"tool_name": "PowerShell", "tool_input": {"command": "ls"}}`, "!"},
		{`{"tool_name": "Read", "tool_input": {"file_path": "a"}}`, ""},
		{`{"tool_name": "mcp__x__y", "tool_input": {"args": {"command": "a"}}}`, "a\n"},
		{`{}`, "!"}, {`[]`, "!"}, {``, "!"}, {`{"tool_input": {"command": "a"`, "!"},
	} {
		var r shell.Reader
		err := readEvent(&r, []byte(c.event), "", false, "linux")
		var b bytes.Buffer
		if err := shell.Write(&b, r.Commands); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); (err != nil) != (c.want == "!") || err == nil && got != c.want {
			t.Errorf("%s: %q, %v", c.event, got, err)
		}
	}
}
