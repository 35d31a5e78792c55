package agent

import (
	"fmt"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Split returns one event for each file of a call that reads or edits several,
// because tools of a take one file per call and its hooks check one path (D61).
// A shell command that applies a patch is an event of its own, followed by
// those of the files. Split returns nil if the event needs no division. A call
// whose parts exceed spec.MaxParts or spec.MaxPartBytes is an error.
func (a *Agent) Split(e *protocol.Event, caller *Call) ([]*protocol.Event, error) {
	if !e.Type.IsTool() || a.patches != "" || caller != nil && caller.Agent == a {
		return nil, nil
	}
	d := division{event: e, edited: map[string]bool{}}
	d.divide(caller)
	if d.exceeds(0) {
		return nil, fmt.Errorf("the call has more than %d files or, with its input repeated for each file, more than %d MiB; the hook reads one file at a time", spec.MaxParts, spec.MaxPartBytes>>20)
	}
	return d.events, nil
}

// division collects the parts of an event, as many as the limits allow.
type division struct {
	event  *protocol.Event
	events []*protocol.Event
	edited map[string]bool // the paths of the events
	count  int             // the number of parts, including those that are not made
	size   int             // bytes of their inputs
}

// exceeds counts n bytes more and reports whether the parts exceed the limits.
func (d *division) exceeds(n int) bool {
	d.size += n
	return d.count > spec.MaxParts || d.size > spec.MaxPartBytes
}

// part adds a part whose input has n bytes unless the limits are exceeded.
func (d *division) part(n int, call func() (tool string, input []byte)) {
	d.count++
	if !d.exceeds(n) {
		d.events = append(d.events, d.event.AsTool(call()))
	}
}

// edits adds a part for each edit of a patch.
func (d *division) edits(patch []byte) {
	for _, edit := range patchEdits(patch) {
		d.edited[edit.path] = true
		d.part(len(edit.old)+len(edit.new), edit.call)
	}
}

// divide makes the parts; none if the event needs no division.
func (d *division) divide(caller *Call) {
	shell, input := caller != nil && caller.edits && caller.tool == "Shell", d.event.ToolInput()
	if !isObject(input) { // the patch itself
		d.edits(input)
		return
	}
	members := latest(input)
	if shell || caller == nil && !hasTexts(members) || caller != nil && caller.hasPatch(caller.nativeNames(), members) {
		for _, m := range members {
			d.edits(m.value)
		}
	}
	switch tool := canonicalTool(d.event); {
	case shell && d.count > 0:
		d.events = slices.Insert(d.events, 0, d.event.AsTool("Shell", input))
		return
	case tool != "":
		paths := append(elements(lookup(members, filePaths)), lookup(members, filePath))
		members = slices.DeleteFunc(members, func(m member) bool { return m.key == filePaths || m.key == filePath })
		rest := 0
		for _, m := range members {
			rest += len(m.key) + len(m.value)
		}
		for _, path := range paths { // also those that the patch does not name
			if text, ok := rawjson.Text(path); path != nil && (!ok || !d.edited[text]) {
				d.edited[text] = true
				d.part(rest+len(path), func() (string, []byte) {
					return tool, objectOf(append(slices.Clip(members), member{filePath, path}))
				})
			}
		}
	}
	if d.count < 2 { // the call as it is, whatever its size
		d.events, d.size = nil, 0
	}
}

// hasTexts reports whether a canonical input has the texts of an edit, so that
// it is not a patch.
func hasTexts(members []member) bool {
	return slices.ContainsFunc(members, func(m member) bool {
		return m.key == "content" || m.key == "old_string" || m.key == "new_string"
	})
}

// elements returns the elements of a JSON array; nil if it is not one.
func elements(array []byte) (all [][]byte) {
	_ = rawjson.Elements(array, func(element []byte) bool {
		all = append(all, element)
		return true
	})
	return all
}

// call returns the canonical tool that makes an edit, and its input.
func (f fileEdit) call() (tool string, input []byte) {
	text := func(s string) []byte { return rawjson.AppendText(nil, s) }
	path := member{filePath, text(f.path)}
	if f.add {
		return "WriteFile", objectOf([]member{path, {"content", text(f.new)}})
	}
	return "EditFile", objectOf([]member{path, {"old_string", text(f.old)}, {"new_string", text(f.new)}})
}

// canonicalTool returns the tool's canonical name; "" if it is unknown.
func canonicalTool(e *protocol.Event) string {
	names, _ := e.ToolNames()
	for _, name := range append(names, e.OtherToolNames()...) {
		switch name {
		case "ReadFile", "EditFile", "WriteFile":
			return name
		}
	}
	return ""
}
