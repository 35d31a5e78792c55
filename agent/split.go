package agent

import (
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// Split returns one event for each file of a call that reads or edits several,
// because tools of a take one file per call and its hooks check one path (D61).
// A shell command that applies a patch is an event of its own, followed by
// those of the files. Split returns nil if the event needs no division.
func (a *Agent) Split(e *protocol.Event, caller *Call) (events []*protocol.Event) {
	if !e.Type.IsTool() || a.patches != "" || caller != nil && caller.Agent == a {
		return nil
	}
	shell, input := caller != nil && caller.edits && caller.tool == "Shell", e.ToolInput()
	edited := map[string]bool{}
	edits := func(patch []byte) {
		for _, edit := range patchEdits(patch) {
			edited[edit.path] = true
			events = append(events, e.AsTool(edit.call()))
		}
	}
	if !isObject(input) { // the patch itself
		edits(input)
		return events
	}
	members := latest(input)
	if shell || caller == nil && !hasTexts(members) || caller != nil && caller.hasPatch(caller.nativeNames(), members) {
		for _, m := range members {
			edits(m.value)
		}
	}
	switch tool := canonicalTool(e); {
	case shell && len(events) > 0:
		return slices.Insert(events, 0, e.AsTool("Shell", input))
	case tool != "":
		paths := append(elements(lookup(members, filePaths)), lookup(members, filePath))
		members = slices.DeleteFunc(members, func(m member) bool { return m.key == filePaths || m.key == filePath })
		for _, path := range paths { // also those that the patch does not name
			if text, ok := rawjson.Text(path); path != nil && (!ok || !edited[text]) {
				edited[text] = true
				events = append(events, e.AsTool(tool, objectOf(append(slices.Clip(members), member{filePath, path}))))
			}
		}
	}
	if len(events) < 2 {
		return nil
	}
	return events
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
