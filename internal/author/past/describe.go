package past

import (
	"bytes"
	"encoding/json"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

// describeEvent returns the tool of an event, and a one-line description.
func describeEvent(event []byte) (tool, text string) {
	var e struct {
		Tool   string          `json:"tool_name"`
		Input  json.RawMessage `json:"tool_input"`
		Prompt any             `json:"prompt"`
	}
	_ = json.Unmarshal(event, &e) // fields of another type stay empty
	if prompt, ok := e.Prompt.(string); ok && len(e.Input) == 0 {
		return e.Tool, snippet(prompt)
	}
	var input map[string]any
	if json.Unmarshal(e.Input, &input) != nil {
		return e.Tool, snippet(string(e.Input))
	}
	for _, key := range []string{"command", "file_path", "path", "url", "pattern", "query", "prompt"} {
		if text, ok := input[key].(string); ok && text != "" {
			return e.Tool, snippet(text)
		}
	}
	var compact bytes.Buffer
	_ = json.Compact(&compact, e.Input)
	return e.Tool, snippet(compact.String())
}

// snippet returns the beginning of a text on one line.
func snippet(text string) string {
	const limit = 300
	if len(text) > 4*limit {
		text = text[:4*limit]
	}
	text = term.Cell(text)
	if text == "-" {
		return ""
	}
	return term.CutTo(text, limit)
}
