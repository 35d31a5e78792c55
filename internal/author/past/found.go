package past

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

// shortID is the number of hexadecimal digits of an identifier that a report shows. Options.Call
// takes more, if two calls have the same ones.
const shortID = 8

// uniqueID is the length from which an agent's identifier of a call is taken to be unique in all
// sessions: those of providers have 24 random characters and more.
const uniqueID = 20

// callID returns the identifier of a call: the same in each run, and for each copy of the call. An
// agent's identifier is unique in a session. A long one is unique everywhere, because a session
// that continues another has copies of its calls under a name of its own.
func callID(a *agent.Agent, c *pastCall) string {
	session := c.session
	if len(c.id) >= uniqueID {
		session = ""
	}
	text := a.Name + "\x00" + session + "\x00" + c.id
	if c.id == "" {
		text += "\x00" + c.time + "\x00" + string(c.payload)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Found is a call that was asked for by its identifier, with what hooks do to it.
type Found struct {
	ID       string // in full
	Agent    *agent.Agent
	Payload  []byte // what the agent's hook got
	Dir      string
	At       time.Time
	Verdicts []Given
}

// describeEvent returns the tool of an event, and a one-line description.
func describeEvent(event []byte) (tool, text string) {
	var e struct {
		Tool  string          `json:"tool_name"`
		Input json.RawMessage `json:"tool_input"`
	}
	_ = json.Unmarshal(event, &e) // fields of another type stay empty
	tool = bounded(e.Tool)
	var input map[string]any
	if json.Unmarshal(e.Input, &input) != nil {
		return tool, snippet(string(e.Input))
	}
	for _, key := range []string{"command", "file_path", "path", "url", "pattern", "query", "prompt"} {
		if text, ok := input[key].(string); ok && text != "" {
			return tool, snippet(text)
		}
	}
	var compact bytes.Buffer
	_ = json.Compact(&compact, e.Input)
	return tool, snippet(compact.String())
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
