package past

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

var formats = [...]format{
	{
		agent: "claude-code", dirs: []dir{{"~/.claude/projects", "CLAUDE_CONFIG_DIR"}},
		is: isLines, start: claudeStart, line: claudeLine, words: []string{`"tool_use"`, `"permissionMode"`},
	},
	{
		agent: "codex", dirs: []dir{{"~/.codex/sessions", "CODEX_HOME"}, {"~/.codex/archived_sessions", "CODEX_HOME"}},
		is: isLines, line: codexLine, words: []string{`"session_meta"`, `"turn_context"`, `"function_call"`, `"custom_tool_call"`, `"local_shell_call"`},
	},
	{
		agent: "gemini-cli", dirs: []dir{{path: "~/.gemini/tmp"}}, aside: ".project_root", older: ".json",
		is:    func(path string) bool { return isLines(path) && strings.Contains(path, "/chats/") },
		start: func(r *reader) { r.dir = string(bytes.TrimSpace(r.aside)) },
		line:  geminiLine, words: []string{`"toolCalls"`, `"sessionId"`},
	},
	{
		agent: "qwen-code", dirs: []dir{{path: "~/.qwen/projects"}},
		is: func(path string) bool {
			return isLines(path) && (strings.Contains(path, "/chats/") || strings.Contains(path, "/subagents/"))
		},
		start: qwenStart, line: qwenLine, words: []string{`"functionCall"`},
	},
	{
		agent: "kimi-code", dirs: []dir{{"~/.kimi-code/sessions", "KIMI_CODE_HOME"}}, aside: "state.json",
		is:    func(path string) bool { return strings.HasSuffix(path, "/wire.jsonl") },
		start: kimiStart, line: kimiLine, words: []string{`"tool.call"`},
	},
}

func isLines(path string) bool { return strings.HasSuffix(path, ".jsonl") }

// claudeStart finds the transcript of the session that a subagent belongs to:
// SLUG/SESSION/subagents/…/agent-ID.jsonl, whose hooks get SLUG/SESSION.jsonl.
func claudeStart(r *reader) {
	if i := strings.Index(r.path, "/subagents/"); i >= 0 {
		r.path = r.path[:i] + ".jsonl"
	}
}

// claudeLine reads the lines of the user and the model. Others copy their contents.
func claudeLine(r *reader, line object) {
	switch line.text("type") {
	case "user":
		r.mode = cmp.Or(line.text("permissionMode"), r.mode)
	case "assistant":
		r.session = line.text("sessionId")
		line.each("message.content", func(block object) {
			if block.text("type") != "tool_use" {
				return
			}
			c := pastCall{
				id: block.text("id"), tool: block.text("name"), dir: line.text("cwd"), time: line.text("timestamp"),
				session: line.text("forkedFrom.sessionId"), // the line is a copy from there
			}
			r.call(c, objectIn(block["input"]), member{key: "permission_mode", text: r.mode}, member{key: "agent_id", text: line.text("agentId")},
				member{key: "tool_use_id", text: c.id})
		})
	}
}

// codexLine reads what the model called. What ran, and copies in compacted lines,
// are not read.
func codexLine(r *reader, line object) {
	payload := in(line["payload"])
	switch line.text("type") {
	case "session_meta":
		if r.begun {
			return // of the session that this one continues
		}
		r.begun = true
		r.session, r.dir = cmp.Or(payload.text("session_id"), payload.text("id")), payload.text("cwd")
	case "turn_context":
		r.dir, r.model, r.turn = payload.text("cwd"), payload.text("model"), payload.text("turn_id")
		r.mode = ""
		switch policy := payload.text("approval_policy"); policy {
		case "":
		case "never":
			r.mode = "bypassPermissions"
		default:
			r.mode = "default"
		}
	case "response_item":
		codexCall(r, payload, line.text("timestamp"))
	}
}

// codexCall reports a call as its hook sees it: exec_command {"cmd"} is Bash
// {"command"}.
func codexCall(r *reader, item object, time string) {
	kind := item.text("type")
	if kind != "function_call" && kind != "custom_tool_call" && kind != "local_shell_call" {
		return
	}
	c := pastCall{id: item.text("call_id"), tool: item.text("name"), dir: r.dir, time: time}
	input, command := objectIn(item["arguments"]), ""
	given := in(input)
	switch namespace := item.text("namespace"); {
	case kind == "local_shell_call":
		c.tool, command = "Bash", shellScript(item.at("action.command"))
	case c.tool == "exec_command":
		c.tool, command = "Bash", given.text("cmd")
	case c.tool == "shell_command", c.tool == "shell", c.tool == "container.exec":
		c.tool, command = "Bash", shellScript(given["command"])
	case c.tool == "apply_patch" && kind == "custom_tool_call":
		command = item.text("input")
	case c.tool == "apply_patch":
		command = given.text("input")
	case strings.HasPrefix(namespace, "mcp__"):
		c.tool = namespace + "__" + c.tool
	case c.tool == "write_stdin":
		c.unseen = true
	}
	if c.tool == "Bash" || c.tool == "apply_patch" {
		input = nil
		if command != "" {
			input = payload([]member{{key: "command", text: command}})
		}
	}
	r.call(c, input, member{key: "turn_id", text: r.turn}, member{key: "model", text: r.model}, member{key: "permission_mode", text: r.mode},
		member{key: "tool_use_id", text: c.id})
}

// shellScript returns the command of a shell's call: a text, or a program with its
// arguments, of which only the script of a shell is certain.
func shellScript(value []byte) (script string) {
	var words []string
	if json.Unmarshal(value, &words) == nil && len(words) == 3 && (words[1] == "-lc" || words[1] == "-c") {
		return words[2]
	}
	_ = json.Unmarshal(value, &script)
	return script
}

// geminiLine reads messages, one per line or in a line that replaces all messages.
// A message repeats when its calls have ended.
func geminiLine(r *reader, line object) {
	r.session = cmp.Or(line.text("$set.sessionId"), line.text("sessionId"), r.session)
	geminiMessage(r, line)
	line.each("$set.messages", func(message object) { geminiMessage(r, message) })
}

func geminiMessage(r *reader, message object) {
	message.each("toolCalls", func(call object) {
		c := pastCall{id: call.text("id"), tool: call.text("name"), dir: r.dir, time: message.text("timestamp")}
		more := []member{{key: "timestamp", text: c.time}}
		if strings.HasPrefix(c.tool, "mcp_") {
			shown, ok := strings.CutSuffix(call.text("displayName"), " MCP Server)") // TOOL (SERVER MCP Server)
			tool, server, found := strings.Cut(shown, " (")
			if !ok || !found || server == "" || tool == "" {
				c.incomplete = "no name of the MCP server"
			}
			more = append(more, member{key: "mcp_context", value: payload([]member{{key: "server_name", text: server}, {key: "tool_name", text: tool}})})
		}
		r.call(c, objectIn(call["args"]), more...)
	})
}

// qwenStart finds the transcript of the session that a subagent belongs to:
// SLUG/subagents/SESSION/agent-ID.jsonl, whose hooks get SLUG/chats/SESSION.jsonl.
func qwenStart(r *reader) {
	if before, after, found := strings.Cut(r.path, "/subagents/"); found {
		session, _, _ := strings.Cut(after, "/")
		r.path = before + "/chats/" + session + ".jsonl"
	}
}

func qwenLine(r *reader, line object) {
	if line.text("type") != "assistant" {
		return
	}
	r.session = line.text("sessionId")
	line.each("message.parts", func(part object) {
		call := in(part["functionCall"])
		if call == nil {
			return
		}
		c := pastCall{id: call.text("id"), tool: call.text("name"), dir: line.text("cwd"), time: line.text("timestamp")}
		input := objectIn(call["args"])
		if c.tool == "tool_call" { // of a tool that was not offered; hooks get that tool
			c.tool, input = in(input).text("name"), objectIn(in(input)["arguments"])
		}
		r.call(c, input, member{key: "timestamp", text: c.time}, member{key: "agent_id", text: line.text("agentId")},
			member{key: "tool_call_id", text: c.id})
	})
}

// kimiStart reads the session from the folder SESSION/agents/ID/wire.jsonl, and its
// directory from the file aside. Hooks do not get the path of the transcript.
func kimiStart(r *reader) {
	before, _, _ := strings.Cut(r.path, "/agents/")
	r.session = before[strings.LastIndexByte(before, '/')+1:]
	r.path = ""
	state := in(r.aside)
	r.dir = cmp.Or(state.text("workDir"), state.text("cwd"))
}

// kimiLine reads each call from the loop's events; other lines repeat it.
func kimiLine(r *reader, line object) {
	event := in(line["event"])
	if line.text("type") != "context.append_loop_event" || event.text("type") != "tool.call" {
		return
	}
	c := pastCall{id: event.text("toolCallId"), tool: event.text("name"), dir: cmp.Or(r.dir, event.text("display.cwd"))}
	if ms, err := strconv.ParseInt(string(line["time"]), 10, 64); err == nil {
		c.time = time.UnixMilli(ms).UTC().Format(time.RFC3339)
	}
	r.call(c, objectIn(event["args"]), member{key: "tool_call_id", text: c.id})
}
