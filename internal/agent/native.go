package agent

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// listKeys are the native keys whose values are arrays. All others of an answer
// are strings or objects.
var listKeys = [...]string{"messages", "inject_messages"}

// verbatim are the keys of an answer that stop an operation. The agent's own
// hooks use them with meanings that a decision cannot express, so that they
// reach the agent unchanged.
var verbatim = [...]string{"action", "retry_feedback"}

// parts returns the content of an answer that the format cannot express, as an
// object in the agent's form; nil if there is none. Another agent gets none of
// it: an error, or a warning for content without an effect on the operation.
func (f *Foreign) parts(result []byte, a protocol.Answer) (native []byte, warnings []string, err error) {
	if f.Row.Native == "" {
		return nil, nil, nil
	}
	result = bytes.TrimSpace(result)
	var o object
	for path := range strings.FieldsSeq(f.Row.Native) {
		path, optional := strings.CutSuffix(path, "?")
		value, own := lastAt(result, path), slices.Contains(verbatim[:], path)
		if value == nil || string(value) == "null" || own && !f.Own || !own && a.Decision == protocol.Deny {
			continue
		}
		switch {
		case slices.Contains(listKeys[:], path) && value[0] != '[':
			return nil, nil, fmt.Errorf("bad answer: %s is not an array", path)
		case f.caller == nil || f.caller.Agent == f.Agent:
			if strings.HasPrefix(path, "hookSpecificOutput.") {
				o.set("hookSpecificOutput.hookEventName", rawjson.AppendText(nil, f.Row.Name))
			}
			o.set(path, value)
		case optional:
			warnings = append(warnings, fmt.Sprintf("its %s cannot be passed on to %s", path, f.caller.Agent.Title))
		default:
			return nil, nil, fmt.Errorf("its %s cannot be passed on to %s", path, f.caller.Agent.Title)
		}
	}
	if len(o.keys) == 0 {
		return nil, warnings, nil
	}
	return o.append(nil), warnings, nil
}

// Combined returns a hook's native answer together with that of the hooks
// before it, nil if there was none: as in the agent's own chain, a later value
// replaces an earlier one, and messages are injected one after another.
func (f *Foreign) Combined(before, native []byte) []byte {
	if before == nil || f.Agent.Converses {
		return native
	}
	members, later := latest(before), latest(native)
	if lookup(later, "messages") != nil { // it already contains the injected ones
		members = slices.DeleteFunc(members, func(m member) bool { return m.key == "inject_messages" })
	}
	earlier := valuesOf(members)
	for i, m := range later {
		if m.key == "inject_messages" {
			m.value = concat(earlier[m.key], m.value)
		}
		later[i].value = together(earlier[m.key], m.value)
	}
	return objectOf(assign(members, later...))
}

// together returns an object with the members of two objects, otherwise the
// later value.
func together(before, later []byte) []byte {
	if !isObject(before) || !isObject(later) {
		return later
	}
	members, changes := latest(before), latest(later)
	earlier := valuesOf(members)
	for i, m := range changes {
		changes[i].value = together(earlier[m.key], m.value)
	}
	return objectOf(assign(members, changes...))
}

// changes returns the members of the event that a native answer changes.
func (f *Foreign) changes(e *protocol.Event, native []byte) (changed []member) {
	b := builder{event: e}
	b.read()
	sent := valuesOf(b.members)
	members := latest(native)
	for _, m := range append(members, latest(lookup(members, "hookSpecificOutput"))...) {
		if m.key == "inject_messages" {
			m = member{"messages", concat(sent["messages"], m.value)}
		}
		if sent[m.key] == nil {
			continue // it is not part of the event, such as an action
		}
		m.value = together(sent[m.key], m.value)
		changed = append(changed, m)
		for i := range f.Agent.Fields {
			field := &f.Agent.Fields[i]
			if value := lastAt(objectOf([]member{m}), field.Path); value != nil && hasWord(cmp.Or(field.On, f.Row.Name), f.Row.Name) {
				changed = append(changed, member{field.Name, value})
			}
		}
	}
	return changed
}

// concat returns the elements of two JSON arrays as one.
func concat(a, b []byte) []byte {
	out := []byte{'['}
	for i, element := range append(elements(a), elements(b)...) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, element...)
	}
	return append(out, ']')
}

// addNative adds the native content to the answer.
func (o *object) addNative(native []byte) {
	for _, m := range latest(native) {
		if m.key == "hookSpecificOutput" {
			for _, inner := range latest(m.value) {
				o.set(m.key+"."+inner.key, inner.value)
			}
			continue
		}
		o.set(m.key, m.value)
	}
}
