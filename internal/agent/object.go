package agent

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// object returns the event for hooks (D43): the payload's members, and the
// canonical fields for values under other names. A native key whose name is
// already used becomes native_KEY.
func (c *Call) object() []byte {
	if !c.readable {
		return c.Payload
	}
	own, inputs := c.fields()
	for _, f := range own {
		c.added = append(c.added, f.key)
	}
	var out writer
	for _, m := range c.members {
		key := m.key
		switch {
		case key == "event_type", key == "context" && !isObject(m.value):
			key = renamed + key // base fields belong to the format
		}
		if slices.ContainsFunc(own, func(f member) bool { return f.key == key }) {
			if key == "tool_input" || key == "tool_name" {
				continue // in the canonical one, and written as native_tool_name
			}
			key = renamed + key
		}
		out.member(key, m.value)
	}
	for _, f := range own {
		if f.value == nil { // a tool_input
			out.member(f.key, inputs[0]...)
			inputs = inputs[1:]
			continue
		}
		out.member(f.key, f.value)
	}
	return bytes.Join(out.object(), nil)
}

// fields returns the canonical members that are missing from the payload, or
// have another value there. The values of tool_input are in parts.
func (c *Call) fields() (own []member, inputs [][][]byte) {
	add := func(key string, value []byte) { own = append(own, member{key, value}) }
	inputs = c.tools(add)
	for i := range c.Agent.Fields {
		name := c.Agent.Fields[i].Name
		if name == "tool_name" || name == "tool_input" || slices.ContainsFunc(own, func(m member) bool { return m.key == name }) {
			continue
		}
		if !strings.HasPrefix(name, "tool_") && c.Agent.Fields[i].Path != name && c.Has(name) {
			continue // the payload has it under its canonical name
		}
		if values, mapped := c.canonical(name); mapped {
			for _, v := range values {
				add(name, v)
			}
		}
	}
	c.words(add)
	return own, inputs
}

// words adds the fields of the original format that have other names here, on
// the events of sessions, subagents and the end of a turn (SPEC.md 8.7).
func (c *Call) words(add func(key string, value []byte)) {
	on := func(e spec.EventType) bool { return slices.Contains(c.row().Spec(), e) }
	put := func(key string, names ...string) {
		for _, name := range names {
			for _, value := range append(c.find(name), c.mapped(name)...) {
				if string(value) != "null" && !c.Has(key) {
					add(key, value)
					return
				}
			}
		}
	}
	switch {
	case on(spec.PreSubagent) || on(spec.PostSubagent):
		put("subagent_name", "agent_name", "agent_type")
		put("subagent_type", "agent_type")
		put("task_description", "task", "description")
	case on(spec.PostSession):
		put("exit_reason", "reason")
		put("total_steps", "total_turns")
		for _, ms := range c.find("duration_ms") {
			if n, err := strconv.ParseFloat(string(ms), 64); err == nil && !c.Has("duration_seconds") {
				add("duration_seconds", strconv.AppendFloat(nil, n/1000, 'f', -1, 64))
				break
			}
		}
	case on(spec.PreAgentTurnStop):
		put("stop_reason", "reason")
		if text := c.Text("last_message"); text != "" && !c.Has("final_message") {
			add("final_message", objectOf([]member{{"role", []byte(`"assistant"`)}, {"content", rawjson.AppendText(nil, text)}}))
		}
	}
}

// mapped returns the values of a canonical field that the payload has under
// another name.
func (c *Call) mapped(name string) [][]byte {
	values, mapped := c.canonical(name)
	if !mapped {
		return nil
	}
	return values
}

// tools adds the tool's names and, without values, its inputs, which it returns.
func (c *Call) tools(add func(key string, value []byte)) (inputs [][][]byte) {
	if !c.concerns("tool_name") {
		return nil
	}
	names := c.nativeNames()
	for _, v := range names {
		name, ok := rawjson.Text(v)
		if !ok {
			add("tool_name", v) // protocol counts it as matched
			continue
		}
		c.tool = c.Agent.canonicalTool(name, c)
		add("tool_name", rawjson.AppendText(nil, c.tool))
		add("native_tool_name", v)
	}
	for _, v := range c.nativeInputs() {
		add("tool_input", nil)
		inputs = append(inputs, c.extend(v, names))
	}
	return inputs
}

// nativeNames returns the tool's native names.
func (c *Call) nativeNames() [][]byte {
	names, _ := c.canonical("tool_name")
	if len(names) == 0 && c.Row.Tool != "" {
		names = [][]byte{rawjson.AppendText(nil, c.Row.Tool)}
	}
	return names
}

// nativeInputs returns the tool's input, whose keys are at the top level of the
// payload on some events.
func (c *Call) nativeInputs() [][]byte {
	inputs, _ := c.canonical("tool_input")
	if len(inputs) > 0 || c.Row.ToolKeys == "" {
		return inputs
	}
	keys := strings.Fields(c.Row.ToolKeys)
	var input []member
	for _, m := range c.members {
		if slices.Contains(keys, m.key) {
			input = append(input, m)
		}
	}
	return [][]byte{objectOf(input)}
}

// canonicalTool returns the format's name of a native tool (D43).
func (a *Agent) canonicalTool(name string, c *Call) string {
	for i := range a.Tools {
		if a.Tools[i].Native == name {
			return a.Tools[i].Canonical
		}
	}
	if a.mcp != nil {
		if canonical := a.mcp(name, c); canonical != "" {
			return canonical
		}
	}
	if all := spec.ToolNames(name); len(all) > 1 {
		return all[1]
	}
	return name
}

// writer collects the parts of a JSON object, so that a large value is copied only once.
type writer struct{ parts [][]byte }

// member adds a member, whose value may be in parts.
func (w *writer) member(key string, value ...[]byte) {
	begin := append(make([]byte, 0, len(key)+8), ", "...)
	if w.parts == nil {
		begin = append(begin[:0], '{')
	}
	begin = append(rawjson.AppendText(begin, key), ": "...)
	w.parts = append(append(w.parts, begin), value...)
}

// object returns the parts of the object.
func (w *writer) object() [][]byte {
	if w.parts == nil {
		return [][]byte{[]byte("{}")}
	}
	return append(w.parts, []byte("}"))
}
