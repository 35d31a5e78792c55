package cases

import (
	"bytes"
	"path/filepath"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/yamltext"
)

// filled returns the file of a case without an expectation, with one added; nil if the file's
// style makes that unsafe.
func (c *Case) filled(changes []entry) []byte {
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
		updated = slices.Concat(inner, []byte(separator+`"expect": `+string((&value{kind: object, entries: changes}).JSON())), all[len(inner):])
	default:
		updated = c.filledLines(changes)
	}
	if updated == nil || !c.holds(updated, changes) {
		return nil
	}
	return updated
}

// filledLines adds the lines of an expectation below an empty expect key, or at the end.
func (c *Case) filledLines(changes []entry) []byte {
	all := c.source.bytes
	at, lines := len(all), "expect:\n"
	for _, e := range c.root.entries {
		if e.key == "expect" {
			_, after, _ := bytes.Cut(all[e.at:], []byte("\n"))
			at, lines = len(all)-len(after), ""
		}
	}
	if at > 0 && all[at-1] != '\n' {
		lines = "\n" + lines
	}
	for _, change := range changes {
		lines += change.line() + "\n"
	}
	return slices.Insert(slices.Clone(all), at, []byte(lines)...)
}

// line formats a key of an expectation as a line of YAML: a decision without quotes, other
// strings in quotes.
func (e entry) line() string {
	spelled := string(e.value.JSON())
	if s := e.value.text(); e.value.kind == text && !slices.Contains(decisions[:], s) {
		spelled = yamltext.Quoted(s)
	} else if e.value.kind == text {
		spelled = s
	}
	return "  " + e.key + ": " + spelled
}

// holds reports whether updated is the case plus the expectation, without other changes.
func (c *Case) holds(updated []byte, changes []entry) bool {
	n := c.with(updated)
	if len(n.Diagnostics) > 0 || n.root == nil {
		return false
	}
	want := *c.root
	want.entries = slices.Clone(c.root.entries)
	want.set("expect", &value{kind: object, entries: changes})
	return n.root.same(&want)
}

// diff returns the lines of the expectation that change, as YAML.
func (c *Case) diff(changes []entry, whole bool) (lines []string) {
	old := c.root.find("expect")
	if whole {
		for _, e := range old.entries {
			lines = append(lines, "-"+e.line())
		}
	}
	for _, change := range changes {
		if v := old.find(change.key); v != nil && !whole {
			lines = append(lines, "-"+entry{key: change.key, value: v}.line())
		}
		lines = append(lines, "+"+change.line())
	}
	return lines
}
