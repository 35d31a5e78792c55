package agent

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// object returns the members of the event for hooks (D43): the payload's, and the
// canonical fields for values under other names. A native key whose name is
// already used becomes native_KEY.
func (c *Call) object() (object []member) {
	own := c.fields()
	for _, f := range own {
		c.added = append(c.added, f.key)
	}
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
		object = append(object, member{key, m.value})
	}
	return append(object, own...)
}

// fields returns the canonical members that are missing from the payload, or
// have another value there.
func (c *Call) fields() (own []member) {
	add := func(key string, value []byte) { own = append(own, member{key, value}) }
	c.tools(add)
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
	return own
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

// tools adds the tool's names and inputs.
func (c *Call) tools(add func(key string, value []byte)) {
	if !c.concerns("tool_name") {
		return
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
		add("tool_input", c.extend(v, names))
	}
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
