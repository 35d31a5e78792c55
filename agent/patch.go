package agent

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/protocol"
)

// fileEdit is the effect of a patch on one file.
type fileEdit struct {
	path     string
	add      bool   // the file is new
	old, new string // for a new file, only new
}

// patchEdits returns the effect on each file of the patch in value, a JSON
// string.
func patchEdits(value []byte) (edits []fileEdit) {
	text, _ := protocol.Text(value)
	for line := range strings.Lines(text) {
		if path, header := patchHeader(line); header != "" {
			if header != "*** Move to:" {
				edits = append(edits, fileEdit{path: path, add: header == "*** Add File:"})
			}
			continue
		}
		if len(edits) == 0 || strings.HasPrefix(line, "***") || strings.HasPrefix(line, "@@") {
			continue
		}
		e := &edits[len(edits)-1]
		switch line[0] {
		case '+':
			e.new += line[1:]
		case '-':
			e.old += line[1:]
		case ' ':
			e.old, e.new = e.old+line[1:], e.new+line[1:]
		}
	}
	for i := range edits {
		edits[i].old, edits[i].new = strings.TrimSuffix(edits[i].old, "\n"), strings.TrimSuffix(edits[i].new, "\n")
	}
	return edits
}

// edit converts an edit of a file to the form of the agent's tools: a patch if
// they take one, otherwise a path and texts.
func (b *builder) edit(tool string, input []byte) (string, []byte) {
	members := latest(input)
	patch := slices.IndexFunc(members, func(m member) bool { return len(PatchPaths(m.value)) > 0 })
	has := func(key string) bool {
		return lookup(members, b.agent.native(key, tool, func(string) bool { return false })) != nil
	}
	switch {
	case tool != "EditFile" && tool != "WriteFile":
	case patch < 0 && b.agent.patches != "":
		if text := b.patchOf(tool, members); text != "" {
			b.edits = true
			return "EditFile", objectOf([]member{{b.agent.patches, protocol.AppendText(nil, text)}})
		}
	case patch >= 0 && b.agent.patches != "":
		return "EditFile", objectOf([]member{{b.agent.patches, members[patch].value}})
	case patch >= 0:
		if edits := patchEdits(members[patch].value); len(edits) == 1 {
			b.edits = true
			return b.texts(edits[0])
		}
	case tool == "WriteFile" && !has("content") && has("new_string"):
		return "EditFile", input
	}
	return tool, input
}

// texts returns an edit as a tool of the agent with its input.
func (b *builder) texts(e fileEdit) (tool string, input []byte) {
	key := func(canonical string) string {
		if own := b.agent.native(canonical, tool, func(string) bool { return false }); own != "" {
			return own
		}
		return canonical
	}
	text := func(s string) []byte { return protocol.AppendText(nil, s) }
	path := b.absolute(text(e.path))
	if e.add {
		tool = "WriteFile"
		return tool, objectOf([]member{{key(filePath), path}, {key("content"), text(e.new)}})
	}
	tool = "EditFile"
	return tool, objectOf([]member{{key(filePath), path}, {key("old_string"), text(e.old)}, {key("new_string"), text(e.new)}})
}

// patchOf returns a patch that has the effect of a tool's input; "" if the
// input names no file.
func (b *builder) patchOf(tool string, members []member) string {
	text := func(key string) string {
		s, _ := protocol.Text(lookup(members, b.agent.native(key, tool, func(string) bool { return false })))
		if s == "" {
			s, _ = protocol.Text(lookup(members, key))
		}
		return s
	}
	path := text(filePath)
	if path == "" {
		return ""
	}
	header, before, after := "*** Update File: ", text("old_string"), text("new_string")
	if tool == "WriteFile" && before == "" && after == "" {
		header, after = "*** Add File: ", text("content")
	}
	var s strings.Builder
	s.WriteString("*** Begin Patch\n" + header + path + "\n")
	if header == "*** Update File: " {
		s.WriteString("@@\n")
		patchLines(&s, "-", before)
	}
	patchLines(&s, "+", after)
	s.WriteString("*** End Patch")
	return s.String()
}

func patchLines(s *strings.Builder, sign, text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		s.WriteString(sign + line + "\n")
	}
}
