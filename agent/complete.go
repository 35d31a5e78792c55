package agent

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Complete adds missing fields, such as the tool's name and input, to a payload
// that came without the name of its agent (D42). It changes nothing else: a
// caller that does not name itself is answered in the format's own form. If the
// payload's top-level keys prove no agent, or several, the agent is nil and the
// payload is unchanged.
func Complete(payload []byte, event spec.EventType) ([]byte, *Agent) {
	a := recognize(topOf(payload))
	if a == nil {
		return payload, nil
	}
	c, err := a.Decode(payload, string(event))
	if err != nil {
		return payload, a
	}
	out := payload[: len(payload)-1 : len(payload)-1]
	for _, f := range c.fields() {
		if c.Has(f.key) || strings.HasPrefix(f.key, renamed) {
			continue
		}
		out = rawjson.AppendText(append(out, ", "...), f.key)
		out = append(append(out, ": "...), f.value...)
	}
	return append(out, '}'), a
}
