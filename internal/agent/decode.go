package agent

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Call is one call by an agent: its payload and the corresponding hook events.
// After Decode it is only read, so that hooks may run at the same time.
type Call struct {
	Agent *Agent
	Row   *NativeEvent // the native event; nil if it is unknown
	// Events are run in this order. Blocks of the first Gates events count; the
	// others are derived and run after those have allowed the operation (D46).
	// If Events is empty, the native event has no hook event.
	Events   []spec.EventType
	Gates    int
	Payload  []byte // as the agent sent it
	Mode     string // the agent's permission mode; "" if unknown
	Warnings []string

	members   []member // of the payload
	event     []member // of the event for hooks (D43)
	added     []string // the canonical keys that event has in addition
	tool      string   // canonical name; "" if unknown
	given     []string // the payload's keys of the tool's input
	undecided string   // why the tool's input cannot be decided
	rawPatch  int      // how many times the input, a patch, is quoted as a JSON string; 0 if it is an object
	readable  bool
	edits     bool // the call is a command or a write that also edits files
}

// member is one member of a JSON object.
type member struct {
	key   string
	value []byte
}

// Decode decodes a payload. event is the event from the command line, as the
// format's or the agent's own name; "" takes it from the payload. raw must not
// be changed afterwards.
//
// The error is the reason why hooks cannot run, which is a failure that the
// caller answers with Encode (D42). The returned Call is never nil and holds
// everything that is known. If the event of an object is known, undecodable
// content is not an error: every matcher counts as matched.
func (a *Agent) Decode(raw []byte, event string) (*Call, error) {
	c := &Call{Agent: a, Payload: raw}
	c.members, c.readable = membersOf(raw)
	if c.readable && bytes.Contains(bytes.TrimSpace(raw), []byte{'\n'}) {
		c.members, _ = membersOf(compact(raw)) // hooks may read one line
	}
	if err := c.identify(event); err != nil {
		return c, err
	}
	c.Mode = c.Text("permission_mode")
	if c.readable {
		c.event = c.object()
	}
	if a.classify != nil {
		a.classify(c)
	}
	c.choose(event)
	return c, nil
}

// Parse returns the event of type t for hooks. now is the RFC 3339 time to use
// if the agent sends none.
func (c *Call) Parse(t spec.EventType, now string) (*protocol.Event, []string) {
	var e *protocol.Event
	var warnings []string
	if c.readable {
		members := make([]protocol.Member, len(c.event))
		for i, m := range c.event {
			members[i] = protocol.Member{Key: rawjson.AppendText(nil, m.key), Value: m.value}
		}
		e, warnings = protocol.ParseMembers(t, members, now)
	} else {
		e, warnings = protocol.ParseEvent(t, c.Payload, now)
	}
	if c.edits {
		e = e.WithToolName("EditFile")
	}
	if c.undecided != "" {
		e = e.WithUndecidedInput(c.undecided)
		warnings = append(warnings, c.undecided+"; every matcher counts as matched")
	}
	return e, warnings
}

// Object returns the event for hooks, as the payload has it.
func (c *Call) Object() []byte {
	if !c.readable {
		return c.Payload
	}
	return objectOf(c.event)
}

// Has reports whether the payload has a top-level key.
func (c *Call) Has(key string) bool { return lookup(c.members, key) != nil }

// TakesInput reports whether the agent accepts a changed input on the event, at
// least if a hook allows it.
func (c *Call) TakesInput() bool { return c.row().Input != nil }

// Shows reports whether the answer can display a message to the user.
func (c *Call) Shows() bool { return c.row().Message != nil }

// Fresh reports whether the prompt comes from a person, not from a continuation;
// known is false if the agent does not say so.
func (c *Call) Fresh() (fresh, known bool) {
	return c.Has(qwenFresh), c.Agent == &qwenCode
}

// Holds reports whether a block of the event keeps the agent working.
func (c *Call) Holds() bool {
	row := c.row()
	return c.stops() && (row.Deny != nil || row.Exit2)
}

// stops reports whether the event is the end of an agent's work.
func (c *Call) stops() bool {
	row := c.row()
	return slices.Contains(row.Spec(), spec.PreAgentTurnStop) || slices.Contains(row.Spec(), spec.PostSubagent)
}

// Derived reports whether a block of the i-th event comes too late.
func (c *Call) Derived(i int) bool { return i >= c.Gates }

// identify finds the native event: the payload's if it is known, otherwise the
// command line's.
func (c *Call) identify(event string) error {
	given := c.Agent.Event(event)
	if given == nil && event != "" {
		given = c.Agent.EventFor(spec.EventType(event))
	}
	rows, unknown := c.named()
	switch {
	case len(rows) == 1 && unknown == "":
		c.Row = rows[0]
	case given != nil:
		c.Row = given
		if unknown != "" {
			c.Warnings = append(c.Warnings, fmt.Sprintf("the payload names the event %q, which is unknown; it is taken for %s", clip(unknown), given.Name))
		}
	case len(rows) > 1:
		return fmt.Errorf("the payload names more than one event")
	case unknown != "":
		return fmt.Errorf("unknown event %q of %s", clip(unknown), c.Agent.Title)
	case !c.readable:
		return fmt.Errorf("the payload cannot be decoded as JSON, and no event is given")
	default:
		return fmt.Errorf("the payload does not name its event, and none is given")
	}
	return nil
}

// named returns the rows that the payload names, and a name that has no row.
func (c *Call) named() (rows []*NativeEvent, unknown string) {
	for _, m := range c.members {
		if !hasWord(c.Agent.NameKey, m.key) {
			continue
		}
		name, _ := rawjson.Text(m.value)
		row := c.Agent.Event(name)
		switch {
		case row == nil:
			unknown = string(m.value)
			if name != "" {
				unknown = name
			}
		case !slices.Contains(rows, row):
			rows = append(rows, row)
		}
	}
	return rows, unknown
}

// choose determines which events run.
func (c *Call) choose(event string) {
	row := c.Row
	c.Events, c.Gates = row.Spec(), min(1, len(row.Spec()))
	if row.Failed != "" && c.has("tool_error") {
		c.Events = []spec.EventType{row.Failed}
	}
	if row.Subagent != "" && c.tool == "Task" {
		c.Events, c.Gates = append(slices.Clip(c.Events), row.Subagent), c.Gates+1
	}
	e := spec.EventType(event)
	if !e.Valid() || len(c.Events) > 0 && c.Events[0] == e {
		return
	}
	// The command line decides (D21). An event that is derived here cannot
	// block, whoever requests it.
	c.Gates = 1
	if i := slices.Index(c.Events, e); i > 0 && row.Subagent == "" {
		c.Gates = 0
	} else if i < 0 && len(row.Spec()) > 0 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("the payload is one of %s; hooks get %s, as the command line says", row.Name, e))
	}
	c.Events = []spec.EventType{e}
}

// find returns the values at a dotted path of the payload, including those of
// repeated keys.
// Release returns the version of the agent as the call says it; "" if it does not. getenv returns a
// variable of its hooks, nil if they are unknown.
func (c *Call) Release(getenv func(string) string) string {
	if name, ok := strings.CutPrefix(c.Agent.Release, "$"); ok && getenv != nil {
		return getenv(name)
	}
	for _, value := range c.find(c.Agent.Release) {
		text, _ := rawjson.Text(value)
		return text
	}
	return ""
}

func (c *Call) find(path string) (values [][]byte) {
	key, rest, deeper := strings.Cut(path, ".")
	for _, m := range c.members {
		switch {
		case m.key != key:
		case deeper:
			values = append(values, descend(m.value, rest)...)
		default:
			values = append(values, m.value)
		}
	}
	return values
}

// descend returns the values at a dotted path of an object; the key 0 is the first
// element of an array.
func descend(value []byte, path string) (values [][]byte) {
	key, rest, deeper := strings.Cut(path, ".")
	take := func(v []byte) {
		if deeper {
			values = append(values, descend(v, rest)...)
		} else {
			values = append(values, v)
		}
	}
	if key == "0" && len(value) > 0 && value[0] == '[' {
		_ = rawjson.Elements(value, func(v []byte) bool { take(v); return false })
		return values
	}
	_ = rawjson.Members(value, func(k string, v []byte) bool {
		if k == key {
			take(v)
		}
		return true
	})
	return values
}

// lastAt returns the last value at a dotted path of an object, nil if there is none.
func lastAt(object []byte, path string) []byte {
	values := descend(object, path)
	if len(values) == 0 {
		return nil
	}
	return values[len(values)-1]
}

// canonical returns the values of a canonical field, looked up with the agent's
// table. mapped reports whether they differ from the payload's own field.
func (c *Call) canonical(name string) (values [][]byte, mapped bool) {
	for i := range c.Agent.Fields {
		f := &c.Agent.Fields[i]
		if f.Name != name || !c.concerns(name) {
			continue
		}
		for _, v := range c.find(f.Path) {
			v = f.Kind.convert(v)
			if v != nil {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			return values, f.Path != name || f.Kind != Plain
		}
	}
	return c.find(name), false
}

// concerns reports whether a field applies to the event. Fields of tools apply
// only to tool events, because elsewhere the same native key means something
// else.
func (c *Call) concerns(name string) bool {
	if !strings.HasPrefix(name, "tool_") {
		return true
	}
	return slices.ContainsFunc(c.row().Spec(), spec.EventType.IsTool)
}

// Text returns a canonical field's string, "" if the payload has none.
func (c *Call) Text(name string) string {
	values, _ := c.canonical(name)
	for _, v := range values {
		if s, ok := rawjson.Text(v); ok {
			return s
		}
	}
	return ""
}

func (c *Call) has(name string) bool {
	values, _ := c.canonical(name)
	return slices.ContainsFunc(values, func(v []byte) bool { return string(v) != "null" })
}

// clip shortens a text from a payload for a message.
func clip(s string) string {
	const limit = 80
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "…"
	}
	return s
}
