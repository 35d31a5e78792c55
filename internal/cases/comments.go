package cases

import (
	"bytes"
	"slices"
	"strings"
)

// mostComments bounds how many places are asked whether a comment begins there.
const mostComments = 500

// comments returns the comments that stand in a part of the file. Only YAML
// has them, and a # is one if nothing is another without it and what stands
// behind it.
func (e *editor) comments(begin, end int) (found []string) {
	if e.isJSON() {
		return nil
	}
	asked := 0
	for at := begin; at < end; at++ {
		if e.all()[at] != '#' || at > 0 && strings.IndexByte(" \t\r\n", e.all()[at-1]) < 0 {
			continue
		}
		line := e.lineEnd(at)
		if asked++; asked > mostComments || e.without(at, line) {
			found = append(found, string(e.all()[at:line]))
			at = line
		}
	}
	return found
}

// lineEnd is where the line ends.
func (e *editor) lineEnd(at int) int {
	line, _, _ := bytes.Cut(e.all()[at:], []byte("\n"))
	return at + len(bytes.TrimRight(line, "\r"))
}

// without reports whether the case is the same without a part of its file.
func (e *editor) without(begin, end int) bool {
	c := e.with(slices.Delete(slices.Clone(e.all()), begin, end))
	return c.root != nil && len(c.Diagnostics) == 0 && c.root.same(e.root)
}

// above puts the comments of a value that is to be replaced above the line
// that its key begins. ok is false if the key begins none.
func (e *editor) above(in *value, key string, begin, end int) (kept []splice, ok bool) {
	comments := e.comments(begin, end)
	if len(comments) == 0 {
		return nil, true
	}
	i := slices.IndexFunc(in.entries, func(entry entry) bool { return entry.key == key })
	at := in.entries[i].at
	indent := e.all()[bytes.LastIndexByte(e.all()[:at], '\n')+1 : at]
	if len(bytes.TrimSpace(indent)) > 0 {
		return nil, false
	}
	var text strings.Builder
	for _, comment := range comments {
		text.WriteString(comment + "\n" + string(indent))
	}
	return []splice{{at, at, text.String()}}, true
}
