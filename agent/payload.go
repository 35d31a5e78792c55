package agent

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Place is where a hook runs that speaks an agent's language.
type Place struct {
	Project string // the project's root
	WorkDir string // where hooks run (D22)
	Hook    string // the hook's folder
	Event   string // the native event that the hook is written for; "" if any will do
}

// Foreign is one run of a hook that speaks an agent's language (D60).
type Foreign struct {
	Agent *Agent
	Row   *Event // the native event
	Own   bool   // the agent itself called
	// Stdin is the native payload: the caller's own bytes if it is the agent
	// itself, with only the tool's input replaced once it has changed.
	Stdin []byte
	// Environ are the agent's variables, as KEY=value. If the agent itself
	// called, those that it has set take precedence.
	Environ []string
	Dir     string // the working directory

	caller *Call
	params []byte // the payload, of a hook that converses
	whole  bool   // the hook is for the operation, not for one native event
}

// Foreign prepares a run of a hook that speaks a's language. caller is the
// call of the agent that sent the event, nil if it came in the format's own
// form. It returns nil if the agent has no event for it.
func (a *Agent) Foreign(e *protocol.Event, caller *Call, at Place) *Foreign {
	own := caller != nil && caller.Agent == a && (at.Event == "" || at.Event == caller.Row.Name)
	f := &Foreign{Agent: a, caller: caller, Own: own, Dir: at.WorkDir}
	if f.Own {
		f.Row = caller.Row
	} else {
		f.Row = a.rowFor(e, at.Event)
	}
	if f.Row == nil {
		return nil
	}
	b := builder{agent: a, row: f.Row, event: e, caller: caller, at: at}
	if !own && a.payloadOf != nil && a.payloadOf(f.Row) != nil {
		b.agent = a.payloadOf(f.Row)
	}
	b.read()
	if f.Own {
		f.Stdin = b.own()
	} else {
		f.Stdin = b.payload()
	}
	if a.Converses {
		f.params, f.whole = f.Stdin, at.Event == ""
		f.Stdin = f.conversation(path.Base(filepath.ToSlash(at.Hook)))
	}
	if a.Newline {
		f.Stdin = append(slices.Clip(f.Stdin), '\n')
	}
	f.Environ = b.environ()
	if a.InProject && at.Project != "" {
		f.Dir = at.Project
	}
	return f
}

// builder makes a native payload from an event.
type builder struct {
	agent   *Agent
	row     *Event
	event   *protocol.Event
	caller  *Call
	at      Place
	members []member // of the event, as hooks of the format read it
}

func (b *builder) read() {
	var text bytes.Buffer
	if _, err := b.event.WriteTo(&text); err != nil {
		return
	}
	b.members = latest(bytes.TrimSpace(text.Bytes()))
}

// own returns the caller's bytes. Only a changed input is replaced, so that
// everything else stays as the agent spelled it.
func (b *builder) own() []byte {
	current := b.event.ToolInput()
	before, _ := b.caller.Parse(b.event.Type, "")
	if current == nil || bytes.Equal(current, before.ToolInput()) {
		return b.caller.Payload
	}
	native := b.caller.nativeInput(current)
	for i := range b.agent.Fields {
		f := &b.agent.Fields[i]
		if f.Name != "tool_input" || len(b.caller.find(f.Path)) == 0 {
			continue
		}
		return replaceAt(b.caller.Payload, f.Path, f.Kind.native(native))
	}
	return replaceAt(b.caller.Payload, "tool_input", native)
}

// replaceAt replaces the value at a dotted path of a JSON object.
func replaceAt(object []byte, path string, value []byte) []byte {
	key, rest, deeper := strings.Cut(path, ".")
	out := object
	_ = protocol.Members(object, func(k string, v []byte) bool {
		if k != key {
			return true
		}
		if deeper {
			value = replaceAt(v, rest, value)
		}
		at := offset(object, v)
		if at >= 0 {
			out = slices.Concat(object[:at], value, object[at+len(v):])
		}
		return false
	})
	return out
}

// offset returns where inner, a part of outer, begins in it; -1 if it is not
// a part.
func offset(outer, inner []byte) int {
	at := cap(outer) - cap(inner)
	if at < 0 || at+len(inner) > len(outer) || len(inner) == 0 || &outer[at] != &inner[0] {
		return bytes.Index(outer, inner)
	}
	return at
}

// payload builds the native payload of an event that another agent sent.
func (b *builder) payload() []byte {
	var o object
	if key, _, _ := strings.Cut(b.agent.NameKey, " "); key != "" && !b.agent.Nameless {
		o.set(key, protocol.AppendText(nil, b.row.Name))
	}
	b.agent.Base.assignments(func(path, value string) {
		if text := b.variable(value); text != nil {
			o.set(path, text)
		}
	})
	b.tool(&o)
	for _, name := range eventFields {
		value := lookup(b.members, name)
		if value == nil || string(value) == "null" {
			continue
		}
		path, kind := b.field(name)
		if name == "tool_output" && b.agent.response != nil {
			value = b.agent.response(b, value)
		}
		if o.leaf(path) == nil {
			o.set(path, kind.native(value))
		}
	}
	return o.append(nil)
}

// eventFields are the canonical fields that payloads have under the agent's
// names (D47).
var eventFields = [...]string{
	"tool_use_id", "tool_output", "tool_error", "duration_ms", "prompt", "prompt_id", "last_message", "stop_hook_active", "source", "reason",
	"trigger", "agent_type", "agent_id", "model", "permission_mode", "transcript_path", "turn_id", "is_interrupt", "notification_type", "message",
	"title", "task_id",
}

// field returns where the agent keeps a canonical field.
func (b *builder) field(name string) (path string, kind Kind) {
	for i := range b.agent.Fields {
		if f := &b.agent.Fields[i]; f.Name == name && f.Kind != Positive {
			return f.Path, f.Kind
		}
	}
	return name, Plain
}

// tool adds the tool's native name and input.
func (b *builder) tool(o *object) {
	name, isName := protocol.Text(lookup(b.members, "tool_name"))
	if !isName {
		return
	}
	input := lookup(b.members, "tool_input")
	if isObject(input) {
		input = b.input(input, name)
		if b.spread(o, name, input) {
			return
		}
	}
	path, _ := b.field("tool_name")
	o.set(path, protocol.AppendText(nil, b.agent.nativeTool(name)))
	if isObject(input) {
		path, kind := b.field("tool_input")
		o.set(path, kind.native(input))
	}
}

// nativeTool returns the agent's name of a canonical tool.
func (a *Agent) nativeTool(canonical string) string {
	for _, t := range a.Tools {
		if t.Canonical == canonical {
			return t.Native
		}
	}
	if server, tool, ok := mcpParts(canonical); ok && a.mcpName != "" {
		return strings.NewReplacer("SERVER", server, "TOOL", tool).Replace(a.mcpName)
	}
	if all := spec.ToolNames(canonical); len(all) > 1 {
		for _, t := range a.Tools {
			if slices.Contains(all, t.Canonical) {
				return t.Native
			}
		}
	}
	return canonical
}

// input returns a canonical input under the agent's keys, without the keys of
// the agent that called.
func (b *builder) input(input []byte, tool string) []byte {
	members := latest(input)
	has := func(key string) bool { return lookup(members, key) != nil }
	var native []member
	for _, m := range members {
		if m.key == filePaths {
			continue
		}
		if b.caller != nil {
			row := b.caller.Agent.key(m.key, b.caller.tool)
			if row != nil && row.Canonical != m.key && row.Canonical != filePaths && has(row.Canonical) {
				continue // hooks have it under the canonical name, too
			}
		}
		key := m.key
		if own := b.agent.native(key, tool, func(k string) bool { return false }); own != "" {
			key = own
		}
		native = append(native, member{key, m.value})
	}
	return objectOf(native)
}

// variable returns the JSON of a value in a form of the payload, nil if it is
// unknown.
func (b *builder) variable(value string) []byte {
	if !strings.HasPrefix(value, "$") {
		if value == "true" || value == "false" || value == "null" || value == "[]" {
			return []byte(value)
		}
		return protocol.AppendText(nil, value)
	}
	if value == "$millis" {
		t, err := time.Parse(time.RFC3339, b.text("timestamp"))
		if err != nil {
			return nil
		}
		return strconv.AppendInt(nil, t.UnixMilli(), 10)
	}
	text := b.value(value[1:])
	if text == "" && value != "$session_id" {
		return nil
	}
	return protocol.AppendText(nil, text)
}

// value returns the text of a variable.
func (b *builder) value(name string) string {
	switch name {
	case "cwd":
		return b.at.WorkDir
	case "project":
		return b.at.Project
	case "dir":
		return b.at.Hook
	case "event":
		return b.row.Name
	}
	return b.text(name)
}

func (b *builder) text(name string) string {
	s, _ := protocol.Text(lookup(b.members, name))
	return s
}

// environ returns the agent's variables.
func (b *builder) environ() (environ []string) {
	b.agent.Environment.assignments(func(name, value string) {
		if strings.HasPrefix(value, "$") {
			value = b.value(value[1:])
		}
		if value != "" && !strings.ContainsRune(value, 0) && len(value) <= spec.MaxEnvValue {
			environ = append(environ, name+"="+value)
		}
	})
	return environ
}

// canonicalInput returns an input with the agent's keys as a canonical one, so
// that another agent can take it.
func (a *Agent) canonicalInput(input []byte, tool string) []byte {
	var canonical []member
	for _, m := range latest(input) {
		if row := a.key(m.key, tool); row != nil && row.Canonical != filePaths {
			m.key = row.Canonical
		}
		canonical = append(canonical, m)
	}
	return objectOf(canonical)
}

// fromNative returns an input with the agent's keys as hooks read it, but for
// file_paths, which only lists what other keys say.
func (c *Call) fromNative(input []byte) []byte {
	members := latest(c.extend(input, c.nativeNames()))
	return objectOf(slices.DeleteFunc(members, func(m member) bool { return m.key == filePaths }))
}

// Judge says what the hook means by its exit and output, by the agent's own
// rules. The output of a hook that converses is the result of Converse. The
// error is a failure of the hook (D27).
func (f *Foreign) Judge(e *protocol.Event, hook string, exit protocol.Exit) (protocol.Answer, []string, error) {
	answer, warnings, err := f.Agent.Judge(f.Row, hook, exit, f.Own)
	if err == nil && f.Agent.Converses {
		err = f.carried(exit.Stdout, answer)
	}
	switch {
	case err != nil:
		return protocol.Answer{}, warnings, err
	case answer.ModifiedInput == nil:
	case f.Own:
		answer.ModifiedInput = f.caller.fromNative(answer.ModifiedInput)
	default:
		names, _ := e.ToolNames()
		tool := ""
		if len(names) > 0 {
			tool = names[0]
		}
		answer.ModifiedInput = f.Agent.canonicalInput(answer.ModifiedInput, tool)
	}
	return answer, warnings, err
}
