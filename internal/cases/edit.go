package cases

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/yamltext"
)

// filled returns the file of a case without an expectation, with one added; nil if the file's
// style makes that unsafe.
func (c *Case) filled(changes []change) []byte {
	all := c.source.bytes
	text := bytes.TrimRight(all, " \t\r\n")
	var updated []byte
	switch flow := filepath.Ext(c.Path) == ".json" || c.root.at < len(all) && all[c.root.at] == '{'; {
	case flow && bytes.HasSuffix(text, []byte("}")):
		inner := bytes.TrimRight(text[:len(text)-1], " \t\r\n")
		separator := ", "
		if lines := text[len(inner) : len(text)-1]; bytes.HasPrefix(lines, []byte("\n")) {
			separator = ",\n  "
		}
		if len(c.root.entries) == 0 {
			separator = ""
		}
		updated = slices.Concat(inner, []byte(separator+`"expect": `+string(mapping(changes).JSON())), all[len(inner):])
	default:
		updated = c.filledLines(changes)
	}
	if updated == nil || !c.holds(updated, changes) {
		return nil
	}
	return updated
}

// filledLines adds the lines of an expectation below an empty expect key, or at the end.
func (c *Case) filledLines(changes []change) []byte {
	at, head := len(c.source.bytes), "expect:"
	for _, e := range c.root.entries {
		if e.key == "expect" {
			at, head = e.at, ""
			if end := bytes.IndexByte(c.source.bytes[at:], '\n'); end >= 0 {
				at += end
			} else {
				at = len(c.source.bytes)
			}
		}
	}
	lines := []string{head}
	for _, change := range changes {
		lines = append(lines, "  "+change.key+": "+change.spelled())
	}
	text := strings.Join(lines, "\n")
	if head != "" {
		if at > 0 && c.source.bytes[at-1] != '\n' {
			text = "\n" + text
		}
		text += "\n"
	}
	return slices.Insert(slices.Clone(c.source.bytes), at, []byte(text)...)
}

// spelled formats the value on one line of YAML: a decision without quotes, other strings in
// quotes.
func (c change) spelled() string {
	if c.value.kind != text {
		return string(c.value.JSON())
	}
	s := c.value.text()
	if slices.Contains(decisions[:], s) {
		return s
	}
	return yamltext.Quoted(s)
}

// holds reports whether updated is the case plus the expectation, without other changes.
func (c *Case) holds(updated []byte, changes []change) bool {
	n := c.with(updated)
	if len(n.Diagnostics) > 0 || n.root == nil {
		return false
	}
	want := *c.root
	want.entries = slices.Clone(c.root.entries)
	want.set("expect", mapping(changes))
	return n.root.same(&want)
}

// diff returns the lines of the expectation that change, as YAML.
func (c *Case) diff(changes []change, whole bool) (lines []string) {
	old := c.root.find("expect")
	if whole {
		for _, e := range old.entries {
			lines = append(lines, "-  "+e.key+": "+change{e.key, e.value}.spelled())
		}
	}
	for _, change := range changes {
		if v := old.find(change.key); v != nil && !whole {
			change := change
			change.value = v
			lines = append(lines, "-  "+change.key+": "+change.spelled())
		}
		lines = append(lines, "+  "+change.key+": "+change.spelled())
	}
	return lines
}
