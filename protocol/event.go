package protocol

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Event is one event as the caller sent it, with the fields that agent-hooks
// needs. An Event is immutable once parsed; WithInput and WithOutput return
// modified copies.
type Event struct {
	Type      spec.EventType
	SessionID string     // "" if unknown
	WorkDirs  []NamedDir // where the hooks may work, in order of precedence: work_dir, cwd (D22)
	Roots     []NamedDir // where the search for the project may start, in order of precedence (D2)
	Workspace []NamedDir // the roots of a workspace that has several; the first is also in Roots
	Timestamp string     // RFC 3339, UTC

	// StopHookActive means that the agent is already continuing because of a
	// hook, so that another block might loop forever (D30).
	StopHookActive bool

	raw       []byte   // the caller's object
	members   []Member // the object instead, if it was made of members
	decodable bool     // its members can be separated
	replaced  []field
	tools     []string
	natives   []string // the caller's own names, where a dialect set tool_name
	noTool    string   // why the tool's name is unknown
	inputs    [][]byte // the values of tool_input
	input     *Input   // decoded on first use
	undecided string   // why the input cannot be decided, although it can be decoded
	unclear   string   // why no field can be decided, although the event can be decoded
	// outputKeys are the keys under which the caller sends a tool's output.
	outputKeys []string
}

// NamedDir is a directory that an event names, and the key that holds it.
type NamedDir struct{ Key, Dir string }

// Member is a member of an event's object: its key and its value, as JSON.
type Member struct{ Key, Value []byte }

// each calls visit for each of the caller's members, until it returns false.
func (e *Event) each(visit func(key, value []byte) bool) error {
	if e.raw != nil {
		return rawjson.Each(e.raw, visit)
	}
	for _, m := range e.members {
		if !visit(m.Key, m.Value) {
			break
		}
	}
	return nil
}

// field is a member that replaces the caller's for hooks.
type field struct {
	key   string
	value []byte
	added bool // a base field for which the caller sent no usable value (D21)
}

// ToolNames returns the caller's own names of the tool: one, unless it repeated
// the key. If unknown is not "", it is the reason why the name cannot be
// decided, which counts as matched (D17).
func (e *Event) ToolNames() (names []string, unknown string) {
	if len(e.natives) > 0 {
		return e.natives, e.noTool
	}
	return e.tools, e.noTool
}

// OtherToolNames returns the names that a dialect gave the tool in addition to
// the caller's own (D43).
func (e *Event) OtherToolNames() []string {
	if len(e.natives) > 0 {
		return e.tools
	}
	return nil
}

// WithToolName returns the event with an additional tool name for matchers. A
// call that acts as two tools has the names of both (D17). Package agent uses
// it.
func (e *Event) WithToolName(name string) *Event {
	c := *e
	c.tools = append(slices.Clip(e.tools), name)
	return &c
}

// AsTool returns the event of a call of another tool, with its input, a JSON
// object. Package agent uses it.
func (e *Event) AsTool(name string, input []byte) *Event {
	next := e.WithInput(input).WithField("tool_name", rawjson.AppendText(nil, name))
	next.tools, next.natives, next.noTool = []string{name}, nil, ""
	return next
}

// Input returns the values that patterns are searched in (D18). It decodes them
// on the first call. Until then the Event is not safe for concurrent use.
func (e *Event) Input() Input {
	if e.input == nil {
		in := Input{Unknown: "the event has no tool_input"}
		if len(e.inputs) > 0 {
			in = readInput(e.inputs)
		}
		if !e.decodable && in.Unknown == "" {
			in.Unknown = "the event cannot be decoded"
		}
		in.Unknown = cmp.Or(in.Unknown, e.undecided, e.unclear)
		e.input = &in
	}
	return *e.input
}

// ToolInput returns the JSON text of the event's tool_input, the last one if
// the caller repeated it; nil if there is none.
func (e *Event) ToolInput() []byte {
	if len(e.inputs) == 0 {
		return nil
	}
	return e.inputs[len(e.inputs)-1]
}

// ToolInputs returns the JSON text of each value of the event's tool_input:
// several if the caller repeated it.
func (e *Event) ToolInputs() [][]byte { return slices.Clip(e.inputs) }

// SameInput reports whether input equals the event's tool_input: the same
// values under the same keys in the same order, in any formatting. If a decoder
// might see a difference, it is not the same (D29).
func (e *Event) SameInput(input []byte) bool {
	return len(e.inputs) == 1 && sameValue(e.inputs[0], input)
}

// Same reports whether value certainly equals the only value of a top-level key
// of the event, in any formatting.
func (e *Event) Same(key string, value []byte) bool {
	if now := e.Changed(key); now != nil {
		return sameValue(now, value)
	}
	var values [][]byte
	err := e.each(func(name, v []byte) bool {
		if string(rawjson.KeyName(name)) == key {
			values = append(values, v)
		}
		return true
	})
	return err == nil && len(values) == 1 && sameValue(values[0], value)
}

// SameOutput reports whether output certainly equals the tool's output under
// each key that the caller uses for it.
func (e *Event) SameOutput(output []byte) bool {
	for _, key := range e.outputKeys {
		if !e.Same(key, output) {
			return false
		}
	}
	return len(e.outputKeys) > 0 || e.Same("tool_output", output)
}

func sameValue(a, b []byte) bool {
	var sent, other inputReader
	return sent.read(a) && other.read(b) && bytes.Equal(sent.text, other.text) && !bytes.ContainsRune(sent.text, utf8.RuneError)
}

// Changed returns the value, as JSON, that replaced the caller's under a
// top-level key; nil if nothing did.
func (e *Event) Changed(key string) []byte {
	for _, f := range e.replaced {
		if f.key == key {
			return f.value
		}
	}
	return nil
}

// ChangedOutput returns the output that replaced the caller's; nil if nothing
// did.
func (e *Event) ChangedOutput() []byte {
	if output := e.Changed("tool_output"); output != nil {
		return output
	}
	for _, key := range e.outputKeys {
		if output := e.Changed(key); output != nil {
			return output
		}
	}
	return nil
}

// WithInput returns the event with tool_input replaced (D29). input is a JSON
// object.
func (e *Event) WithInput(input []byte) *Event {
	next := e.WithField("tool_input", input)
	next.inputs, next.input = [][]byte{input}, nil
	return next
}

// WithUndecidedInput returns the event with a tool_input that counts as
// matched, for the reason why. Package agent uses it.
func (e *Event) WithUndecidedInput(why string) *Event {
	next := *e
	next.undecided, next.input = why, nil
	return &next
}

// WithWorkDir returns the event with dir as its work_dir if the event names no
// directory (D21).
func (e *Event) WithWorkDir(dir string) *Event {
	for _, s := range e.WorkDirs {
		if strings.TrimSpace(s.Dir) != "" {
			return e
		}
	}
	return e.WithField("work_dir", rawjson.AppendQuoted(nil, rawjson.ToValid(dir)))
}

// WithOutput returns the event with the tool's output replaced under each key
// that the caller uses for it (tool_response, tool_result, tool_output),
// otherwise under tool_output (D28). output is a JSON value.
func (e *Event) WithOutput(output []byte) *Event {
	if len(e.outputKeys) == 0 {
		return e.WithField("tool_output", output)
	}
	for _, key := range e.outputKeys {
		e = e.WithField(key, output)
	}
	return e
}

// WithField returns the event with the value, as JSON, of a top-level key
// replaced. Package agent uses it.
func (e *Event) WithField(key string, value []byte) *Event {
	next := *e
	next.replaced = nil
	added := false
	for _, f := range e.replaced {
		if f.key == key {
			added = f.added
			continue
		}
		next.replaced = append(next.replaced, f)
	}
	next.replaced = append(next.replaced, field{key, value, added})
	return &next
}

// Size returns the size of the caller's object in bytes.
func (e *Event) Size() int {
	size := len(e.raw)
	for _, m := range e.members {
		size += len(m.Key) + len(": ") + len(m.Value) + len(", ")
	}
	return size
}

// clip shortens s to at most n bytes, for a message of one line.
func clip(s string, n int) string {
	if len(s) > n {
		s = strings.ToValidUTF8(s[:n], "") + "…"
	}
	return s
}
