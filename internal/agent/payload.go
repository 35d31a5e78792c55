package agent

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// builder builds a native payload from an event.
type builder struct {
	agent   *Agent
	row     *NativeEvent
	event   *protocol.Event
	caller  *Call
	at      script.Hook
	members []member // of the event, as hooks of the format read it
	sent    []byte   // the tool's input, as the agent has it
	edits   bool     // the input was translated from or to a patch
	patch   string   // the key of the patch in the event's input, if it was sent under the agent's own

	translated bool // the tool's output was sent in the agent's own type
}

func (b *builder) read() {
	b.members = latest(eventText(b.event))
}

// eventText returns an event as hooks of the format read it.
func eventText(e *protocol.Event) []byte {
	var text bytes.Buffer
	_, _ = e.WriteTo(&text)
	return bytes.TrimSpace(text.Bytes())
}

// own returns the caller's bytes. It replaces only what hooks have changed and
// keeps the agent's spelling of everything else.
func (b *builder) own() []byte { return b.changed(b.caller.current(b.event)) }

// payload builds the native payload of an event that another agent sent.
func (b *builder) payload() []byte {
	var o object
	if key, _, _ := strings.Cut(b.agent.NameKey, " "); key != "" && !b.agent.Nameless {
		o.set(key, rawjson.AppendText(nil, b.row.Name))
	}
	b.base(&o, b.agent.Base)
	b.tool(&o)
	for _, name := range eventFields {
		value := lookup(b.members, name)
		if value == nil || string(value) == "null" || name == "reason" && slices.Contains(b.row.Spec(), spec.PreAgentTurnStop) {
			continue // each agent has its own reasons for stopping
		}
		path, kind := b.field(name)
		if name == "tool_output" && b.agent.response != nil {
			sent := b.agent.response(b, compact(value))
			b.translated = !same(sent, value)
			value = sent
		}
		if o.leaf(path) == nil {
			o.set(path, kind.native(value))
		}
	}
	if b.agent.Converses {
		b.request(&o)
	}
	b.base(&o, b.row.Base)
	return compact(o.append(nil))
}

// base adds the members that the payload lacks.
func (b *builder) base(o *object, f Form) {
	for _, p := range f {
		if text := b.variable(p); text != nil && o.leaf(p.Path) == nil {
			o.set(p.Path, text)
		}
	}
}

// eventFields are the canonical fields that payloads contain under the agent's
// names (D47).
var eventFields = [...]string{
	"tool_use_id", "tool_output", "tool_error", "duration_ms", "prompt", "prompt_id", "last_message", "stop_hook_active", "source", "reason",
	"trigger", "agent_type", "agent_id", "model", "permission_mode", "transcript_path", "turn_id", "is_interrupt", "notification_type", "message",
	"title", "task_id", "messages",
}

// field returns the location of a canonical field in the agent's payload of the
// event.
func (b *builder) field(name string) (path string, kind Kind) {
	path, kind = name, Plain
	for i := len(b.agent.Fields) - 1; i >= 0; i-- {
		f := &b.agent.Fields[i]
		switch {
		case f.Name != name:
		case hasWord(f.On, b.row.Name):
			return f.Path, f.Kind
		case f.On == "":
			path, kind = f.Path, f.Kind
		}
	}
	return path, kind
}

// tool adds the tool's native name and input.
func (b *builder) tool(o *object) {
	name, isName := rawjson.Text(lookup(b.members, "tool_name"))
	if !isName {
		return
	}
	input := lookup(b.members, "tool_input")
	if isObject(input) {
		name, input = b.edit(name, b.input(input, name))
		b.sent = input
		if b.spread(o, name, input) {
			return
		}
	}
	path, _ := b.field("tool_name")
	o.set(path, rawjson.AppendText(nil, b.agent.NativeTool(name)))
	if isObject(input) {
		path, kind := b.field("tool_input")
		o.set(path, kind.native(input))
	}
}

// NativeTool returns a's name for a canonical tool, as a script written for a sees
// it.
func (a *Agent) NativeTool(canonical string) string {
	if canonical == "WriteFile" && a.patches != "" {
		canonical = "EditFile" // one tool does both
	}
	names := spec.ToolNames(canonical)
	for _, t := range a.Tools {
		if slices.Contains(names, t.Canonical) {
			return t.Native
		}
	}
	if server, tool, ok := mcpParts(canonical); ok && a.mcpName != "" {
		return strings.NewReplacer("SERVER", server, "TOOL", tool).Replace(a.mcpName)
	}
	return canonical
}

// input returns a canonical input with the agent's keys, without the keys of
// the calling agent.
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
				continue // hooks also have it under the canonical name
			}
		}
		key := m.key
		if own := b.agent.native(key, tool, func(k string) bool { return false }); own != "" {
			key = own
		}
		if m.key == filePath {
			m.value = b.absolute(m.value)
		}
		native = append(native, member{key, m.value})
	}
	return objectOf(native)
}

// absolute returns the absolute path that agents send for a file.
func (b *builder) absolute(value []byte) []byte {
	text, ok := rawjson.Text(value)
	dir := b.at.WorkDir
	if !ok || text == "" || dir == "" || filepath.IsAbs(text) || path.IsAbs(text) || strings.HasPrefix(text, "~") {
		return value
	}
	if path.IsAbs(dir) { // also on Windows, for an agent in WSL or Git's bash
		return rawjson.AppendText(nil, path.Join(dir, text))
	}
	return rawjson.AppendText(nil, filepath.Join(dir, text))
}

// variable returns the value of a part as JSON, nil if it is unknown.
func (b *builder) variable(p Part) []byte {
	switch p.Var {
	case "":
		return p.literal()
	case UnixMillis:
		t, err := time.Parse(time.RFC3339, b.text("timestamp"))
		if err != nil {
			return nil
		}
		return strconv.AppendInt(nil, t.UnixMilli(), 10)
	}
	text := b.value(p.Var)
	if text == "" && p.Var != SessionID {
		return nil
	}
	return rawjson.AppendText(nil, text)
}

// value returns the text of a variable.
func (b *builder) value(name Variable) string {
	switch name {
	case WorkDir:
		return b.at.WorkDir
	case ProjectDir:
		return b.at.Project
	case HookDir:
		return b.at.Dir
	case EventName:
		return b.row.Name
	case ToolName:
		if b.caller != nil && b.caller.Agent == b.agent {
			return b.caller.Text("tool_name")
		}
		return b.agent.NativeTool(b.text("tool_name"))
	case ToolCommand, ToolFile:
		s, _ := rawjson.Text(lookup(latest(b.event.ToolInput()), string(name)))
		return s
	}
	return b.text(string(name))
}

func (b *builder) text(name string) string {
	s, _ := rawjson.Text(lookup(b.members, name))
	return s
}

// environ returns the agent's variables.
func (b *builder) environ() (environ []string) {
	for _, p := range b.agent.Environment {
		value := p.Text
		if p.Var != "" {
			value = b.value(p.Var)
		}
		if value != "" && !strings.ContainsRune(value, 0) && len(value) <= spec.MaxEnvValue {
			environ = append(environ, p.Path+"="+value)
		}
	}
	return environ
}

// outputText returns the text of a result: that of all streams of a command, and
// JSON text if the result has other content than text.
func outputText(value []byte) string {
	if s, ok := rawjson.Text(value); ok {
		return s
	}
	if parts := elements(value); len(parts) > 0 && !slices.ContainsFunc(parts, notText) {
		s, _ := rawjson.Text(joinParts(value))
		return s
	}
	for _, key := range []string{"stdout", "llmContent", "textResultForLlm", "text_result_for_llm", "for_llm", "output", "content", "returnDisplay"} {
		v := lastAt(value, key)
		if v == nil || string(v) == "null" {
			continue
		}
		text := outputText(v)
		if errors, _ := rawjson.Text(lastAt(value, "stderr")); key == "stdout" && errors != "" {
			text = strings.TrimLeft(text+"\n"+errors, "\n")
		}
		return text
	}
	return string(value)
}

// notText reports whether a part of a result has other content than text.
func notText(part []byte) bool {
	_, isText := rawjson.Text(lastAt(part, "text"))
	return !isText || slices.ContainsFunc(latest(part), func(m member) bool { return m.key != "text" && m.key != "type" })
}

// givenOutput converts a script's changed result back to one of the event's
// tool, if the event's was translated for the script: text, or the JSON value
// whose text the script read. The caller's rules then fit text into the tool's
// own type.
func (f *Foreign) givenOutput(e *protocol.Event, output []byte) []byte {
	if !f.translated {
		return output
	}
	own, text := compact(lookup(latest(eventText(e)), "tool_output")), outputText(output)
	if outputText(own) == string(own) && rawjson.Valid([]byte(text)) && rawjson.KindOf([]byte(text)) == rawjson.KindOf(own) {
		return []byte(text)
	}
	quoted := rawjson.AppendText(nil, text)
	if f.caller == nil {
		return Plain.restore("tool_output", own, quoted)
	}
	return quoted
}

// textResponse returns a result as text, as some agents send it.
func textResponse(_ *builder, value []byte) []byte {
	return rawjson.AppendText(nil, outputText(value))
}

// rowFor returns the native event that a hook written for a gets for an event:
// the wanted one or, if several correspond to the event, the one for the
// event's tool.
func (a *Agent) rowFor(e *protocol.Event, wanted string) *NativeEvent {
	if wanted != "" {
		return a.Event(wanted)
	}
	row := a.EventFor(e.Type)
	if row == nil || row.Tool == "" {
		return row
	}
	names, _ := e.ToolNames()
	for i := range a.Events() {
		if r := &a.Events()[i]; slices.Contains(r.Spec(), e.Type) && a.isFor(r, names) {
			return r
		}
	}
	return row
}

// isFor reports whether a row applies to calls of a tool.
func (a *Agent) isFor(row *NativeEvent, names []string) bool {
	if row.Tool == "" {
		return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "mcp__") })
	}
	canonical := a.canonicalTool(row.Tool, nil)
	return slices.ContainsFunc(names, func(n string) bool {
		all := spec.ToolNames(n)
		return slices.Contains(all, canonical) || canonical == "EditFile" && slices.Contains(all, "WriteFile")
	})
}

// spread writes the tool and its input in the row's own form, and reports whether
// it has one.
func (b *builder) spread(o *object, name string, input []byte) bool {
	switch {
	case b.agent.spread != nil && b.agent.spread(b, o, name, input):
	case b.row.ToolKeys != "":
		keys := strings.Fields(b.row.ToolKeys)
		for _, m := range latest(withEdits(input)) {
			if slices.Contains(keys, m.key) {
				o.set(m.key, m.value)
			}
		}
	default:
		return false
	}
	return true
}

// mcpParts splits mcp__SERVER__TOOL.
func mcpParts(name string) (server, tool string, ok bool) {
	rest, prefixed := strings.CutPrefix(name, "mcp__")
	server, tool, ok = strings.Cut(rest, "__")
	return server, tool, ok && prefixed
}

// withEdits adds the list of edits that some payloads have instead of the texts
// of one edit.
func withEdits(input []byte) []byte {
	members := latest(input)
	before, after := lookup(members, "old_string"), lookup(members, "new_string")
	if after == nil {
		after = lookup(members, "content")
	}
	if after == nil || lookup(members, "edits") != nil {
		return input
	}
	if before == nil {
		before = []byte(`""`)
	}
	edit := objectOf([]member{{"old_string", before}, {"new_string", after}})
	return objectOf(append(members, member{"edits", append(append([]byte("["), edit...), ']')}))
}
