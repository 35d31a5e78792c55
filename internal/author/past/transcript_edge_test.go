package past

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/internal/agent"
)

// TestTranscriptLines checks single lines: copies, calls that lack something, and hostile content.
func TestTranscriptLines(t *testing.T) {
	const (
		claude = `{"type":"assistant","sessionId":"s","cwd":"/p","message":{"content":[{"type":"tool_use","id":"1","name":"Bash","input":{"command":"ls"}}]}`
		meta   = `{"type":"session_meta","payload":{"id":"s","cwd":"/p"}}` + "\n"
		call   = `{"type":"response_item","payload":{"type":"function_call","call_id":"1",`
	)
	for _, test := range []struct{ agent, lines, want string }{
		{"claude-code", claude + `}`, `s Bash {"command":"ls"}`},
		{"claude-code", claude + `,"forkedFrom":{"sessionId":"old"}}`, `old Bash {"command":"ls"}`},
		{"claude-code", strings.Replace(claude, `"cwd":"/p",`, "", 1) + `}`, `s Bash: no working directory`},
		{"claude-code", strings.Replace(claude, `,"input":{"command":"ls"}`, "", 1) + `}`, `s Bash: no input`},
		{"claude-code", strings.Replace(claude, `"name":"Bash",`, "", 1) + `}`, `s : no tool's name`},
		{"claude-code", strings.Replace(claude, `"assistant"`, `"api-request"`, 1) + `}`, ``},
		{"claude-code", strings.Replace(claude, `"tool_use"`, `"server_tool_use"`, 1) + `}`, ``},
		{"claude-code", strings.Replace(claude, `{"command":"ls"}`, `[1]`, 1) + `}`, `s Bash: no input`},
		{"claude-code", claude, `broken`},
		{"claude-code", `{"tool_use"`, `broken`},
		{"claude-code", `[]`, ``},
		{"claude-code", strings.Repeat(`[`, 100000) + `"tool_use"`, `broken`},
		{"codex", meta + call + `"name":"exec_command","arguments":"{\"cmd\":\"ls\",\"workdir\":\"/q\"}"}}`, `s Bash {"command":"ls"}`},
		{"codex", meta + call + `"name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"ls\"]}"}}`, `s Bash {"command":"ls"}`},
		{"codex", meta + call + `"name":"shell","arguments":"{\"command\":[\"ls\",\"-l\"]}"}}`, `s Bash: no input`},
		{"codex", meta + call + `"name":"write_stdin","arguments":"{\"chars\":\"x\"}"}}`, `s write_stdin: unseen`},
		{"codex", call + `"name":"exec_command","arguments":"{\"cmd\":\"ls\"}"}}`, ` Bash: no working directory`},
		{"codex", `{"type":"compacted","payload":{"replacement_history":[{"type":"function_call","name":"exec_command"}]}}`, ``},
		{"codex", meta + `{"type":"session_meta","payload":{"id":"old","cwd":"/old"}}` + "\n" + call + `"name":"exec_command","arguments":"{\"cmd\":\"ls\"}"}}`, `s Bash {"command":"ls"}`},
		{"gemini-cli", `{"sessionId":"s"}` + "\n" + `{"$set":{"messages":[{"toolCalls":[{"id":"1","name":"write_file","args":{}}]}]}}`, `s write_file: no working directory`},
		{"qwen-code", `{"type":"assistant","sessionId":"s","cwd":"/p","message":{"parts":[{"functionCall":{"id":"1","name":"tool_call","args":{"name":"cron","arguments":{"a":1}}}}]}}`, `s cron {"a":1}`},
		{"qwen-code", `{"type":"system","subtype":"ui_telemetry","systemPayload":{"functionCall":{"id":"1"}}}`, ``},
		{"kimi-code", `{"type":"agent.message.appended","event":{"type":"tool.call"}}`, ``},
	} {
		var got []string
		r := newReader(agent.Find(test.agent), "/h/x.jsonl", nil, func(c pastCall) {
			text := fmt.Sprintf("%s %s", c.session, c.tool)
			switch {
			case c.unseen:
				text += ": unseen"
			case c.incomplete != "":
				text += ": " + c.incomplete
			default:
				_, input, _ := strings.Cut(string(c.payload), `"tool_input":`)
				text += " " + strings.TrimSuffix(input, "}")
			}
			got = append(got, text)
		})
		for line := range strings.Lines(test.lines) {
			if r.read([]byte(line)) != nil {
				got = append(got, "broken")
			}
		}
		if diff := cmp.Diff(test.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s %.200s (-want +got):\n%s", test.agent, test.lines, diff)
		}
	}
}
