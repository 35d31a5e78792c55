package agent

import "github.com/agent-hooks/agent-hooks/protocol"

// claudeResponse gives a result of another agent the shape that Claude Code's
// tools have, so that a script finds .stdout and .filePath.
func claudeResponse(b *builder, value []byte) []byte {
	if isObject(value) {
		if lookup(latest(value), "stdout") != nil || lookup(latest(value), "filePath") != nil {
			return value
		}
	}
	tool, _ := protocol.Text(lookup(b.members, "tool_name"))
	switch tool {
	case "Shell":
		return objectOf([]member{
			{"stdout", protocol.AppendText(nil, outputText(value))}, {"stderr", []byte(`""`)},
			{"interrupted", []byte("false")}, {"isImage", []byte("false")},
		})
	case "WriteFile", "EditFile":
		if path := lookup(latest(lookup(b.members, "tool_input")), "file_path"); path != nil {
			return objectOf([]member{{"filePath", path}, {"success", []byte("true")}})
		}
	}
	return value
}

// outputText is the text of a result.
func outputText(value []byte) string {
	if s, ok := protocol.Text(value); ok {
		return s
	}
	for _, key := range []string{"stdout", "llmContent", "textResultForLlm", "output", "content", "returnDisplay"} {
		for _, v := range descend(value, key) {
			if s, ok := protocol.Text(v); ok {
				return s
			}
		}
	}
	return string(value)
}

// textResponse is a result as text, as some agents send it.
func textResponse(_ *builder, value []byte) []byte {
	return protocol.AppendText(nil, outputText(value))
}

// geminiResponse is a result as Gemini CLI's tools have it.
func geminiResponse(_ *builder, value []byte) []byte {
	if isObject(value) && lookup(latest(value), "llmContent") != nil {
		return value
	}
	text := protocol.AppendText(nil, outputText(value))
	return objectOf([]member{{"llmContent", text}, {"returnDisplay", text}})
}

// copilotResponse is a result as Copilot's tools have it.
func copilotResponse(_ *builder, value []byte) []byte {
	if isObject(value) && lookup(latest(value), "textResultForLlm") != nil {
		return value
	}
	return objectOf([]member{{"resultType", []byte(`"success"`)}, {"textResultForLlm", protocol.AppendText(nil, outputText(value))}})
}

// cursorResponse is a result as the event has it: the output of a command is
// text.
func cursorResponse(b *builder, value []byte) []byte {
	if b.row.Name == "afterShellExecution" {
		return textResponse(b, value)
	}
	return value
}
