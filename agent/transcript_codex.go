package agent

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

var codexTranscripts = Transcripts{
	Dirs: []TranscriptDir{{Path: "~/.codex/sessions", Home: "CODEX_HOME"}, {Path: "~/.codex/archived_sessions", Home: "CODEX_HOME"}},
	is:   func(path string) bool { return strings.HasSuffix(path, ".jsonl") },
	line: codexLine,
	words: [][]byte{
		[]byte(`"session_meta"`), []byte(`"turn_context"`), []byte(`"function_call"`), []byte(`"custom_tool_call"`), []byte(`"local_shell_call"`),
	},
}

// codexLine reads what the model called. What ran, and copies in compacted lines,
// are not read.
func codexLine(r *TranscriptReader, line []member) {
	payload := latest(lookup(line, "payload"))
	switch textAt(line, "type") {
	case "session_meta":
		if r.begun {
			return // of the session that this one continues
		}
		r.begun = true
		r.session, r.dir = textAt(payload, "session_id"), textAt(payload, "cwd")
		if r.session == "" {
			r.session = textAt(payload, "id")
		}
	case "turn_context":
		r.dir, r.model, r.turn = textAt(payload, "cwd"), textAt(payload, "model"), textAt(payload, "turn_id")
		r.mode = ""
		switch policy := textAt(payload, "approval_policy"); policy {
		case "":
		case "never":
			r.mode = "bypassPermissions"
		default:
			r.mode = "default"
		}
	case "response_item":
		codexCall(r, payload, textAt(line, "timestamp"))
	}
}

// codexCall reports a call as its hook sees it: exec_command {"cmd"} is Bash
// {"command"}.
func codexCall(r *TranscriptReader, item []member, time string) {
	kind := textAt(item, "type")
	if kind != "function_call" && kind != "custom_tool_call" && kind != "local_shell_call" {
		return
	}
	c := PastCall{ID: textAt(item, "call_id"), Tool: textAt(item, "name"), Dir: r.dir, Time: time}
	input := objectIn(lookup(item, "arguments"))
	command := ""
	switch namespace := textAt(item, "namespace"); {
	case kind == "local_shell_call":
		c.Tool, command = "Bash", shellScript(memberAt(item, "action.command"))
	case c.Tool == "exec_command":
		c.Tool, command = "Bash", textAt(latest(input), "cmd")
	case c.Tool == "shell_command", c.Tool == "shell", c.Tool == "container.exec":
		c.Tool, command = "Bash", shellScript(lookup(latest(input), "command"))
	case c.Tool == "apply_patch" && kind == "custom_tool_call":
		command = textAt(item, "input")
	case c.Tool == "apply_patch":
		command = textAt(latest(input), "input")
	case strings.HasPrefix(namespace, "mcp__"):
		c.Tool = namespace + "__" + c.Tool
	case c.Tool == "write_stdin":
		c.Unseen = true
	}
	if c.Tool == "Bash" || c.Tool == "apply_patch" {
		if input = nil; command != "" {
			input = objectOf([]member{quoted("command", command)})
		}
	}
	r.call(c, input, quoted("turn_id", r.turn), quoted("model", r.model), quoted("permission_mode", r.mode), quoted("tool_use_id", c.ID))
}

// shellScript returns the command of a shell's call: a text, or a program with its
// arguments, of which only the script of a shell is certain.
func shellScript(value []byte) string {
	if s, ok := rawjson.Text(value); ok {
		return s
	}
	var words []string
	_ = rawjson.Elements(value, func(v []byte) bool {
		s, _ := rawjson.Text(v)
		words = append(words, s)
		return true
	})
	if len(words) == 3 && (words[1] == "-lc" || words[1] == "-c") {
		return words[2]
	}
	return ""
}
