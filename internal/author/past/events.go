package past

import (
	"bytes"
	"encoding/json"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Events stands for the agent of Options.Files, whose lines are events of the format (SPEC.md 8).
var Events = &agent.Agent{Name: "events", Title: "a file of events"}

// readEvent reads one line of a file of events, and calls yield if it is about a tool call to come.
// An event without an event_type counts as one. The line is not kept.
func readEvent(line []byte, yield func(pastCall)) error {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte(rawjson.ByteOrderMark)))
	if len(line) == 0 {
		return nil
	}
	var e struct {
		Type    any `json:"event_type"`
		Session any `json:"session_id"`
		Time    any `json:"timestamp"`
		Tool    any `json:"tool_name"`
		Dir     any `json:"cwd"`
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return rawjson.ErrUndecodable
	}
	c := pastCall{session: text(e.Session), time: text(e.Time), tool: text(e.Tool), dir: text(e.Dir), payload: bytes.Clone(line)}
	switch event := spec.EventType(text(e.Type)); {
	case event != "" && event != spec.PreToolCall:
		return nil
	case c.tool == "":
		c.incomplete = "no tool"
	}
	yield(c)
	return nil
}

// text returns a value if it is a text, otherwise "".
func text(value any) string {
	s, _ := value.(string)
	return s
}
