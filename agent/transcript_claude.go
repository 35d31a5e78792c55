package agent

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

var claudeTranscripts = Transcripts{
	Dirs:  []TranscriptDir{{Path: "~/.claude/projects", Home: "CLAUDE_CONFIG_DIR"}},
	is:    func(path string) bool { return strings.HasSuffix(path, ".jsonl") },
	start: claudeStart, line: claudeLine,
	words: [][]byte{[]byte(`"tool_use"`), []byte(`"permissionMode"`)},
}

// claudeStart finds the transcript of the session that a subagent belongs to:
// SLUG/SESSION/subagents/…/agent-ID.jsonl, whose hooks get SLUG/SESSION.jsonl.
func claudeStart(r *TranscriptReader) {
	if i := strings.Index(r.file.Path, "/subagents/"); i >= 0 {
		r.file.Path = r.file.Path[:i] + ".jsonl"
	}
}

// claudeLine reads the lines of the user and the model. Others copy their contents.
func claudeLine(r *TranscriptReader, line []member) {
	switch textAt(line, "type") {
	case "user":
		if mode := textAt(line, "permissionMode"); mode != "" {
			r.mode = mode
		}
	case "assistant":
		r.session = textAt(line, "sessionId")
		elementsAt(line, "message.content", func(block []member) {
			if textAt(block, "type") != "tool_use" {
				return
			}
			c := PastCall{
				ID: textAt(block, "id"), Tool: textAt(block, "name"), Dir: textAt(line, "cwd"), Time: textAt(line, "timestamp"),
				Session: textAt(line, "forkedFrom.sessionId"), // the line is a copy from there
			}
			r.call(c, objectIn(lookup(block, "input")), quoted("permission_mode", r.mode), quoted("agent_id", textAt(line, "agentId")),
				member{"tool_use_id", textOrNil(lookup(block, "id"))})
		})
	}
}

func textOrNil(value []byte) []byte {
	if rawjson.KindOf(value) != rawjson.String {
		return nil
	}
	return value
}
