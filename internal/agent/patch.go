package agent

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
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
	text, _ := rawjson.Text(value)
	targets := map[int][]string{} // of moved files
	var before, after []byte      // of the last edit
	end := func() {
		if n := len(edits); n > 0 {
			edits[n-1].old, edits[n-1].new = string(bytes.TrimSuffix(before, []byte("\n"))), string(bytes.TrimSuffix(after, []byte("\n")))
		}
		before, after = before[:0], after[:0]
	}
	for line := range strings.Lines(text) {
		path, header := spec.PatchHeader(line)
		if header == "*** Move to:" && len(edits) > 0 {
			targets[len(edits)-1] = append(targets[len(edits)-1], path)
			continue
		} else if header != "" {
			end()
			edits = append(edits, fileEdit{path: path, add: header == "*** Add File:"})
			continue
		}
		if len(edits) == 0 || strings.HasPrefix(line, "***") || strings.HasPrefix(line, "@@") {
			continue
		}
		switch line[0] {
		case '+':
			after = append(after, line[1:]...)
		case '-':
			before = append(before, line[1:]...)
		case ' ':
			before, after = append(before, line[1:]...), append(after, line[1:]...)
		}
	}
	end()
	for i := range edits {
		for _, target := range targets[i] {
			moved := edits[i]
			moved.path = target
			edits = append(edits, moved)
		}
	}
	return edits
}

// edit converts an edit of a file to the form of the agent's tools: a patch if
// they take one, otherwise a path and texts.
func (b *builder) edit(tool string, input []byte) (string, []byte) {
	members := latest(input)
	has := func(key string) bool {
		own := b.agent.native(key, tool, func(string) bool { return false })
		return own != "" && lookup(members, own) != nil || lookup(members, key) != nil
	}
	patch := -1
	if !has("content") && !has("old_string") && !has("new_string") && b.patches(members) {
		patch = slices.IndexFunc(members, func(m member) bool { return len(patchPaths(m.value)) > 0 })
	}
	switch {
	case tool != "EditFile" && tool != "WriteFile":
	case patch < 0 && b.agent.patches != "":
		if text := b.patchOf(tool, members); text != "" {
			b.edits = true
			return "EditFile", objectOf([]member{{b.agent.patches, rawjson.AppendText(nil, text)}})
		}
	case patch >= 0 && b.agent.patches != "":
		if text := b.unnamed(tool, members, members[patch].value); text != "" {
			b.edits = true
			return "EditFile", objectOf([]member{{b.agent.patches, rawjson.AppendText(nil, text)}})
		}
		b.patch = members[patch].key
		return "EditFile", objectOf([]member{{b.agent.patches, members[patch].value}})
	case patch >= 0:
		path := lookup(members, cmp.Or(b.agent.native(filePath, tool, func(string) bool { return false }), filePath))
		edits := patchEdits(members[patch].value)
		if len(edits) == 1 && (path == nil || same(path, b.absolute(rawjson.AppendText(nil, edits[0].path)))) {
			b.edits = true
			tool, input = edits[0].call()
			return tool, b.input(input, tool)
		}
	case tool == "WriteFile" && !has("content") && has("new_string"):
		return "EditFile", input
	}
	return tool, input
}

// patches reports whether the input contains a patch for the calling tool. In
// the input of other tools, text with the headers of a patch may be a file's new
// content.
func (b *builder) patches(members []member) bool {
	return b.caller == nil || b.caller.hasPatch(b.caller.nativeNames(), members)
}

// unnamed returns an edit of the file that an input names, followed by the patch
// in the input, if the patch does not name that file; otherwise "".
func (b *builder) unnamed(tool string, members []member, patch []byte) string {
	path, _ := rawjson.Text(lookup(members, cmp.Or(b.agent.native(filePath, tool, func(string) bool { return false }), filePath)))
	if path == "" || slices.ContainsFunc(patchPaths(patch), func(p string) bool {
		return path == p || same(rawjson.AppendText(nil, path), b.absolute(rawjson.AppendText(nil, p)))
	}) {
		return ""
	}
	text, _ := rawjson.Text(patch)
	return b.patchOf(tool, members) + "\n" + text
}

// patchKey is the key under which hooks read a patch that is the whole input of
// a tool.
const patchKey = "patch"

// rawPatch returns the patch, a JSON string, that is the whole input of a tool,
// and how many times it is quoted; 0 if the input is not a patch.
func rawPatch(input []byte, names [][]byte) (patch []byte, quoted int) {
	for text, ok := rawjson.Text(input); ok && quoted < 4; text, ok = rawjson.Text(input) {
		quoted++
		if spec.IsPatch(text) {
			return input, quoted
		}
		inner := []byte(strings.TrimSpace(text))
		if len(inner) == 0 || inner[0] != '"' || !rawjson.Valid(inner) {
			if isPatch(names) {
				return input, quoted
			}
			return nil, 0
		}
		input = inner
	}
	return nil, 0
}

// quoted returns a patch in the form in which the agent sent it.
func (c *Call) quoted(patch []byte) []byte {
	for range c.rawPatch - 1 {
		patch = rawjson.AppendText(nil, string(patch))
	}
	return patch
}

// hasPatch reports whether a tool's input contains a patch: the tool takes
// patches, or it may edit files and has a text that begins as one and is not the
// new content of a named file. names are the tool's native names.
func (c *Call) hasPatch(names [][]byte, members []member) bool {
	if isPatch(names) {
		return true
	}
	if c.tool != "EditFile" && c.tool != "WriteFile" && spec.KnownTool(c.tool) && !strings.HasPrefix(c.tool, "mcp__") {
		return false
	}
	key := func(m member) string { return c.Agent.canonicalKey(strings.TrimPrefix(m.key, renamed), c.tool) }
	named := slices.ContainsFunc(members, func(m member) bool { return key(m) == filePath && (m.key != filePath || c.gave(filePath)) })
	return slices.ContainsFunc(members, func(m member) bool {
		switch key(m) {
		case "content", "old_string", "new_string":
			if named {
				return false
			}
		}
		text, _ := rawjson.Text(m.value)
		return spec.IsPatch(text)
	})
}

// patchOf returns a patch that has the effect of a tool's input; "" if the
// input names no file.
func (b *builder) patchOf(tool string, members []member) string {
	text := func(key string) string {
		s, _ := rawjson.Text(lookup(members, b.agent.native(key, tool, func(string) bool { return false })))
		if s == "" {
			s, _ = rawjson.Text(lookup(members, key))
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
