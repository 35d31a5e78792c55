package agent

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// Changed returns an event of the call, in which a hook has changed the input,
// the prompt or the output, with the same change under the agent's own keys, so
// that no hook reads the original there (D88).
func (c *Call) Changed(e *protocol.Event) *protocol.Event {
	for i, m := range topOf(c.current(e)) {
		if i >= len(c.members) || bytes.Equal(m.value, c.members[i].value) {
			continue
		}
		if key := c.hookKey(m.key); key != "" {
			e = e.WithField(key, m.value)
		}
	}
	return e
}

// hookKey returns the key under which hooks read a member of the payload; "" if
// they read only the canonical one.
func (c *Call) hookKey(key string) string {
	switch {
	case !slices.Contains(c.added, key):
		return key
	case key == "tool_input" || key == "tool_name":
		return ""
	}
	return renamed + key
}

// current returns the payload with the changes that hooks have made to the
// event, in the agent's own form.
func (c *Call) current(e *protocol.Event) []byte {
	payload := c.Payload
	if input := e.Changed("tool_input"); input != nil {
		payload = c.put(payload, "tool_input", c.nativeInput(input))
	}
	if prompt := e.Changed("prompt"); prompt != nil {
		payload = c.put(payload, "prompt", prompt)
	}
	if output := e.ChangedOutput(); output != nil {
		payload = c.put(payload, "tool_output", compact(output))
	}
	return payload
}

// put replaces a field in the payload, wherever the agent sends it: some
// payloads contain it more than once.
func (c *Call) put(payload []byte, name string, value []byte) []byte {
	var done []string
	at := func(path string, kind Kind) {
		if slices.ContainsFunc(done, func(p string) bool { return p == path || strings.HasPrefix(p, path+".") }) || len(c.find(path)) == 0 {
			return
		}
		done = append(done, path)
		payload = replaceAt(payload, path, func(old []byte) []byte { return kind.restore(name, old, value) })
	}
	for i := range c.Agent.Fields {
		if f := &c.Agent.Fields[i]; f.Name == name && f.Kind != Failure && c.concerns(name) {
			at(f.Path, f.Kind)
		}
	}
	at(name, Plain)
	if name == "tool_output" {
		at("tool_response", Plain)
		at("tool_result", Plain)
	}
	if name == "tool_input" && len(done) == 0 {
		input := latest(value)
		for _, key := range strings.Fields(c.row().ToolKeys) {
			if v := lookup(input, key); v != nil {
				payload = replaceAt(payload, key, func([]byte) []byte { return v })
			}
		}
	}
	return payload
}

// replaceAt replaces each value at a dotted path of a JSON object.
func replaceAt(object []byte, path string, replace func(old []byte) []byte) []byte {
	key, rest, deeper := strings.Cut(path, ".")
	var out []byte
	copied := 0
	_ = rawjson.Members(object, func(k string, v []byte) bool {
		if k != key {
			return true
		}
		at := rawjson.Offset(object, v)
		value := v
		if !deeper {
			value = replace(v)
		} else if isObject(v) {
			value = replaceAt(v, rest, replace)
		}
		out = append(append(out, object[copied:at]...), value...)
		copied = at + len(v)
		return true
	})
	return append(out, object[copied:]...)
}

// restore converts a changed value of a canonical field to the form of the one
// that the agent sent.
func (k Kind) restore(name string, old, value []byte) []byte {
	_, wasText := rawjson.Text(old)
	_, isText := rawjson.Text(value)
	switch {
	case wasText && isText:
		return value
	case wasText && (k == Object || k == JSONText):
		return JSONText.native(value)
	case wasText:
		return asText(value)
	case len(old) > 0 && old[0] == '[' && isText && name == "tool_output":
		return withText(nil, value) // other parts, such as a resource, may repeat the original
	case len(old) > 0 && old[0] == '[' && isText:
		return withText(old, value)
	case name == "tool_output" && isObject(old) && (isText || !sharesText(old, value)):
		return resultText(old, asText(value))
	}
	return value
}

// withText replaces the texts in an array of content parts by one.
func withText(parts, text []byte) []byte {
	out := append([]byte(`[{"type":"text","text":`), text...)
	out = append(out, '}')
	_ = rawjson.Elements(parts, func(part []byte) bool {
		if isObject(part) && len(descend(part, "text")) == 0 {
			out = append(append(out, ','), part...)
		}
		return true
	})
	return append(out, ']')
}

// resultKeys are the keys of the text in the objects that agents send as the
// result of a tool.
var resultKeys = [...]string{
	"stdout", "llmContent", "returnDisplay", "textResultForLlm", "text_result_for_llm", "for_llm", "for_user", "output", "content",
}

func isResultKey(key string) bool { return slices.Contains(resultKeys[:], key) }

// sharesText reports whether value has a key for text of the object old, or old
// has none.
func sharesText(old, value []byte) bool {
	had := false
	for _, m := range latest(old) {
		if isResultKey(m.key) {
			had = true
			if lookup(latest(value), m.key) != nil {
				return true
			}
		}
	}
	return !had
}

// resultText returns a result with the text in place of its texts. Any other
// text in it, which may repeat the original, becomes empty.
func resultText(old, text []byte) []byte {
	members := latest(old)
	found := false
	for i, m := range members {
		_, isText := rawjson.Text(m.value)
		switch {
		case isResultKey(m.key):
			members[i].value, found = text, true
		case m.key == "resultType" || m.key == "result_type" || m.key == "type":
		case isText:
			members[i].value = []byte(`""`)
		case isObject(m.value):
			members[i].value = []byte("{}")
		case len(m.value) > 0 && m.value[0] == '[':
			members[i].value = []byte("[]")
		}
	}
	if !found {
		return text
	}
	return objectOf(members)
}

// Fit adapts a hook's answer to what this agent can apply to the event: a
// changed input is merged with the current one, with native and canonical keys
// in agreement, and an output gets the shape that the agent requires (D43,
// D45). It returns an error if the answer cannot be applied, which is a failure
// of the hook.
func (c *Call) Fit(event *protocol.Event, a protocol.Answer) (protocol.Answer, error) {
	if a.ModifiedInput != nil {
		merged, err := c.merge(event.ToolInput(), a.ModifiedInput, a.WholeInput)
		if err != nil {
			return a, err
		}
		a.ModifiedInput = merged
	}
	if a.UpdatedOutput == nil {
		return a, nil
	}
	var err error
	switch {
	case c.row().Output == nil:
		a.UpdatedOutput, err = nil, fmt.Errorf("%s cannot replace a tool's output on %s", c.Agent.Title, c.row().Name)
	case c.Agent.output != nil:
		a.UpdatedOutput, err = c.Agent.output(c, a.UpdatedOutput)
	}
	if err != nil && a.Decision == protocol.Deny {
		a.Reason, err = a.Reason+"; its change of the output is not applied: "+err.Error(), nil
	}
	return a, err
}
