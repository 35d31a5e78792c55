package agent

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

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
	for i := range a.Events {
		if r := &a.Events[i]; slices.Contains(r.Spec(), e.Type) && a.isFor(r, names) {
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

// NativeTool returns a's name for a canonical tool, as a script written for a
// sees it.
func (a *Agent) NativeTool(canonical string) string { return a.nativeTool(canonical) }

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
