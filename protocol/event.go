package protocol

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// Event is one event as the caller sent it, with the fields that agent-hooks
// itself needs. An Event is not changed once parsed; WithInput and WithOutput
// return others.
type Event struct {
	Type      spec.Event
	SessionID string   // "" if unknown
	WorkDirs  []Source // where the hooks may work, best first: work_dir, cwd (D22)
	Roots     []Source // where the search for the project may start, best first (D2)
	Timestamp string   // RFC 3339, UTC

	// StopHookActive says that the agent already goes on because of a hook,
	// so that another block might never end (D30).
	StopHookActive bool

	raw       []byte // the caller's object
	decodable bool   // its members can be told apart
	replaced  []field
	tools     []string
	noTool    string   // why the tool's name is not known
	inputs    [][]byte // the values of tool_input
	input     *Input   // decoded on first use
	outputKey string   // the key under which the caller sends a tool's output
}

// Source is a directory that an event names, and the key that names it.
type Source struct{ Key, Dir string }

// field is a member that hooks read instead of the caller's.
type field struct {
	key   string
	value []byte
}

// ParseEvent reads the object raw, from its opening to its closing brace, as
// an event of type t. Nothing in it is an error: what cannot be decoded
// leaves the event undecided, which counts as matched, and is told in the
// warnings (D20). A nil raw is the empty object. raw must not be changed
// afterwards. now is the RFC 3339 time in UTC for an event that has none.
func ParseEvent(t spec.Event, raw []byte, now string) (*Event, []string) {
	if raw == nil {
		raw = []byte("{}")
	}
	e := &Event{Type: t, raw: raw}
	p := eventParser{Event: e, now: now, strings: map[string]string{}}
	e.decodable = elements(raw, p.member) == nil
	if !e.decodable {
		p.warnf("the event cannot be decoded as JSON; every matcher counts as matched")
		e.noTool = "the event cannot be decoded"
	}
	p.finish()
	return e, p.warnings
}

type eventParser struct {
	*Event
	now       string
	warnings  []string
	strings   map[string]string // members that are strings, of those that concern us
	context   bool              // context is an object
	otherType bool              // event_type names another event
	stops     []bool
	badTool   bool
}

func (p *eventParser) warnf(format string, args ...any) {
	p.warnings = append(p.warnings, fmt.Sprintf(format, args...))
}

func (p *eventParser) member(keyText, value []byte) bool {
	key, _ := text(keyText)
	switch key {
	case "event_type":
		p.eventType(value)
	case "timestamp", "session_id", "work_dir", "cwd":
		if s, ok := text(value); ok {
			p.strings[key] = s
		}
	case "workspace_roots":
		if s, ok := firstString(value); ok {
			p.strings[key] = s
		}
	case "context":
		p.context = kindOf(value) == kindObject
	case "stop_hook_active":
		p.stops = append(p.stops, string(value) == "true")
	case "tool_name":
		p.toolName(value)
	case "tool_input":
		if kindOf(value) != kindNull {
			p.inputs = append(p.inputs, value)
		}
	case "tool_output", "tool_response", "tool_result":
		p.outputKey = key
	}
	return true
}

func (p *eventParser) eventType(value []byte) {
	sent, ok := text(value)
	if !ok {
		return
	}
	p.strings["event_type"] = sent
	if sent != string(p.Type) {
		p.otherType = true
		p.warnf("the event calls itself %q; hooks get %q, as the command line says", clip(sent, 80), p.Type)
	}
}

func (p *eventParser) toolName(value []byte) {
	name, ok := text(value)
	if !ok || name == "" {
		p.badTool = true
		return
	}
	p.tools = append(p.tools, name)
}

// finish settles what depends on the event as a whole.
func (p *eventParser) finish() {
	p.StopHookActive = len(p.stops) > 0 && !slices.Contains(p.stops, false)
	p.SessionID = p.strings["session_id"]
	p.Timestamp = cmp.Or(p.strings["timestamp"], p.now)
	p.Roots = p.sources("workspace_roots", "work_dir", "cwd")
	p.WorkDirs = p.sources("work_dir", "cwd")
	if p.Type.IsTool() && p.noTool == "" && (p.badTool || len(p.tools) == 0) {
		p.noTool = "the event has no tool_name"
		if p.badTool {
			p.noTool = "tool_name is not a name"
		}
	}
	p.addBase()
}

func (p *eventParser) sources(keys ...string) []Source {
	var found []Source
	for _, key := range keys {
		if dir, ok := p.strings[key]; ok {
			found = append(found, Source{key, dir})
		}
	}
	return found
}

// addBase adds the base fields that the caller left out (D21).
func (p *eventParser) addBase() {
	if p.otherType {
		delete(p.strings, "event_type")
	}
	for _, f := range []struct{ key, value string }{
		{"event_type", string(p.Type)},
		{"timestamp", p.now},
		{"session_id", ""},
		{"work_dir", p.strings["cwd"]},
	} {
		if _, ok := p.strings[f.key]; !ok {
			p.replaced = append(p.replaced, field{f.key, appendQuoted(nil, valid(f.value))})
		}
	}
	if !p.context {
		p.replaced = append(p.replaced, field{"context", []byte("{}")})
	}
}

// firstString returns the first element of a JSON array, if it is a string.
func firstString(value []byte) (s string, ok bool) {
	if kindOf(value) != kindArray {
		return "", false
	}
	_ = elements(value, func(_, element []byte) bool {
		s, ok = text(element)
		return false
	})
	return s, ok
}

// ToolNames returns the tool names that the caller sent: one, unless it
// repeated the key. If unknown is not "", it says why the name cannot be
// decided, which counts as matched (D17).
func (e *Event) ToolNames() (names []string, unknown string) { return e.tools, e.noTool }

// Input returns what patterns are searched in (D18). It is decoded on the
// first call; an Event must not be used by several goroutines before that.
func (e *Event) Input() Input {
	if e.input == nil {
		in := Input{Unknown: "the event has no tool_input"}
		if len(e.inputs) > 0 {
			in = readInput(e.inputs)
		}
		if !e.decodable && in.Unknown == "" {
			in.Unknown = "the event cannot be decoded"
		}
		e.input = &in
	}
	return *e.input
}

// SameInput reports whether input is, token for token, the event's
// tool_input.
func (e *Event) SameInput(input []byte) bool {
	return len(e.inputs) == 1 && bytes.Equal(compact(e.inputs[0]), compact(input))
}

// WithInput returns the event with tool_input replaced (D29). input is a JSON
// object.
func (e *Event) WithInput(input []byte) *Event {
	next := e.with("tool_input", input)
	next.inputs, next.input = [][]byte{input}, nil
	return next
}

// WithWorkDir returns the event with dir as its work_dir, if it names no
// directory itself (D21).
func (e *Event) WithWorkDir(dir string) *Event {
	for _, s := range e.WorkDirs {
		if s.Dir != "" {
			return e
		}
	}
	return e.with("work_dir", appendQuoted(nil, valid(dir)))
}

// WithOutput returns the event with the tool's output replaced, under the key
// that the caller uses (tool_response, tool_result or tool_output), else
// tool_output (D28). output is a JSON value.
func (e *Event) WithOutput(output []byte) *Event {
	key := e.outputKey
	if key == "" {
		key = "tool_output"
	}
	return e.with(key, output)
}

func (e *Event) with(key string, value []byte) *Event {
	next := *e
	next.replaced = nil
	for _, f := range e.replaced {
		if f.key != key {
			next.replaced = append(next.replaced, f)
		}
	}
	next.replaced = append(next.replaced, field{key, value})
	return &next
}

// Size returns the size of the caller's object in bytes.
func (e *Event) Size() int { return len(e.raw) }

// clip shortens s to at most n bytes, for a message of one line.
func clip(s string, n int) string {
	if len(s) > n {
		s = strings.ToValidUTF8(s[:n], "") + "…"
	}
	return s
}
