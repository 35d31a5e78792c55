package agent

import (
	"bytes"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

var geminiTranscripts = Transcripts{
	Dirs:  []TranscriptDir{{Path: "~/.gemini/tmp"}},
	Aside: ".project_root",
	is:    func(path string) bool { return strings.HasSuffix(path, ".jsonl") && strings.Contains(path, "/chats/") },
	unread: func(path string) string {
		if strings.HasSuffix(path, ".json") && strings.Contains(path, "/chats/") {
			return "in the whole-file form of earlier versions"
		}
		return ""
	},
	start: func(r *TranscriptReader) { r.dir = string(bytes.TrimSpace(r.file.Aside)) },
	line:  geminiLine,
	words: [][]byte{[]byte(`"toolCalls"`), []byte(`"sessionId"`)},
}

// geminiLine reads messages, one per line or in a line that replaces all messages.
// A message repeats when its calls have ended.
func geminiLine(r *TranscriptReader, line []member) {
	for _, path := range []string{"sessionId", "$set.sessionId"} {
		if id := textAt(line, path); id != "" {
			r.session = id
		}
	}
	geminiMessage(r, line)
	elementsAt(line, "$set.messages", func(message []member) { geminiMessage(r, message) })
}

func geminiMessage(r *TranscriptReader, message []member) {
	elementsAt(message, "toolCalls", func(call []member) {
		c := PastCall{ID: textAt(call, "id"), Tool: textAt(call, "name"), Dir: r.dir, Time: textAt(message, "timestamp")}
		more := []member{quoted("timestamp", c.Time)}
		if strings.HasPrefix(c.Tool, "mcp_") {
			server, tool, ok := geminiServer(textAt(call, "displayName"))
			if !ok {
				c.Incomplete = "no name of the MCP server"
			}
			more = append(more, quoted("mcp_context.server_name", server), quoted("mcp_context.tool_name", tool))
		}
		r.call(c, objectIn(lookup(call, "args")), more...)
	})
}

// geminiServer splits the name that is displayed for an MCP tool: TOOL (SERVER MCP Server).
func geminiServer(shown string) (server, tool string, ok bool) {
	rest, ok := strings.CutSuffix(shown, " MCP Server)")
	tool, server, found := strings.Cut(rest, " (")
	return server, tool, ok && found && server != "" && tool != ""
}

var qwenTranscripts = Transcripts{
	Dirs: []TranscriptDir{{Path: "~/.qwen/projects"}},
	is: func(path string) bool {
		return strings.HasSuffix(path, ".jsonl") && (strings.Contains(path, "/chats/") || strings.Contains(path, "/subagents/"))
	},
	start: qwenStart, line: qwenLine,
	words: [][]byte{[]byte(`"functionCall"`)},
}

// qwenStart finds the transcript of the session that a subagent belongs to:
// SLUG/subagents/SESSION/agent-ID.jsonl, whose hooks get SLUG/chats/SESSION.jsonl.
func qwenStart(r *TranscriptReader) {
	if before, after, found := strings.Cut(r.file.Path, "/subagents/"); found {
		session, _, _ := strings.Cut(after, "/")
		r.file.Path = before + "/chats/" + session + ".jsonl"
	}
}

func qwenLine(r *TranscriptReader, line []member) {
	if textAt(line, "type") != "assistant" {
		return
	}
	r.session = textAt(line, "sessionId")
	elementsAt(line, "message.parts", func(part []member) {
		call := latest(lookup(part, "functionCall"))
		if call == nil {
			return
		}
		c := PastCall{ID: textAt(call, "id"), Tool: textAt(call, "name"), Dir: textAt(line, "cwd"), Time: textAt(line, "timestamp")}
		input := objectIn(lookup(call, "args"))
		if c.Tool == "tool_call" { // of a tool that was not offered; hooks get that tool
			c.Tool, input = textAt(latest(input), "name"), objectIn(lookup(latest(input), "arguments"))
		}
		r.call(c, input, quoted("timestamp", c.Time), quoted("agent_id", textAt(line, "agentId")), quoted("tool_call_id", c.ID))
	})
}

var kimiTranscripts = Transcripts{
	Dirs:  []TranscriptDir{{Path: "~/.kimi-code/sessions", Home: "KIMI_CODE_HOME"}},
	Aside: "state.json",
	is:    func(path string) bool { return strings.HasSuffix(path, "/wire.jsonl") },
	start: kimiStart, line: kimiLine,
	words: [][]byte{[]byte(`"tool.call"`)},
}

// kimiStart reads the session from the folder SESSION/agents/ID/wire.jsonl, and its
// directory from the file aside. Hooks do not get the path of the transcript.
func kimiStart(r *TranscriptReader) {
	before, _, _ := strings.Cut(r.file.Path, "/agents/")
	r.session = before[strings.LastIndexByte(before, '/')+1:]
	r.file.Path = ""
	state := latest(objectIn(r.file.Aside))
	for _, key := range []string{"cwd", "workDir"} {
		if dir := textAt(state, key); dir != "" {
			r.dir = dir
		}
	}
}

// kimiLine reads each call from the loop's events; other lines repeat it.
func kimiLine(r *TranscriptReader, line []member) {
	event := latest(lookup(line, "event"))
	if textAt(line, "type") != "context.append_loop_event" || textAt(event, "type") != "tool.call" {
		return
	}
	c := PastCall{ID: textAt(event, "toolCallId"), Tool: textAt(event, "name"), Dir: r.dir}
	if at := Millis.convert(lookup(line, "time")); at != nil {
		c.Time, _ = rawjson.Text(at)
	}
	if c.Dir == "" {
		c.Dir = textAt(event, "display.cwd")
	}
	r.call(c, objectIn(lookup(event, "args")), quoted("tool_call_id", c.ID))
}
