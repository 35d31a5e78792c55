package agent

import "github.com/agent-hooks/agent-hooks/internal/rawjson"

// claudeResponse converts another agent's result to the shape of Claude Code's
// results, so that a script finds .stdout and .filePath.
func claudeResponse(b *builder, value []byte) []byte {
	if result := latest(value); lookup(result, "stdout") != nil || lookup(result, "filePath") != nil {
		return value
	}
	tool, _ := rawjson.Text(lookup(b.members, "tool_name"))
	switch tool {
	case "Shell":
		return objectOf([]member{
			{"stdout", rawjson.AppendText(nil, outputText(value))}, {"stderr", []byte(`""`)},
			{"interrupted", []byte("false")}, {"isImage", []byte("false")},
		})
	case "WriteFile", "EditFile":
		if path := lookup(latest(lookup(b.members, "tool_input")), "file_path"); path != nil {
			return objectOf([]member{{"filePath", b.absolute(path)}, {"success", []byte("true")}})
		}
	}
	return value
}

// outputText returns the text of a result.
func outputText(value []byte) string {
	if s, ok := rawjson.Text(value); ok {
		return s
	}
	for _, key := range []string{"stdout", "llmContent", "textResultForLlm", "output", "content", "returnDisplay"} {
		for _, v := range descend(value, key) {
			if s, ok := rawjson.Text(v); ok {
				return s
			}
		}
	}
	return string(value)
}

// textResponse returns a result as text, as some agents send it.
func textResponse(_ *builder, value []byte) []byte {
	return rawjson.AppendText(nil, outputText(value))
}

// geminiResponse converts a result to the shape of Gemini CLI's results.
func geminiResponse(_ *builder, value []byte) []byte {
	if lookup(latest(value), "llmContent") != nil {
		return value
	}
	text := rawjson.AppendText(nil, outputText(value))
	return objectOf([]member{{"llmContent", text}, {"returnDisplay", text}})
}

// copilotResponse converts a result to the shape of Copilot's results.
func copilotResponse(_ *builder, value []byte) []byte {
	return objectOf([]member{{"resultType", []byte(`"success"`)}, {"textResultForLlm", rawjson.AppendText(nil, outputText(value))}})
}

// cursorResponse converts a result to the shape that the event requires: the
// output of a command is text.
func cursorResponse(b *builder, value []byte) []byte {
	if b.row.Name == "afterShellExecution" {
		return textResponse(b, value)
	}
	return value
}
