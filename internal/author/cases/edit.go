package cases

import (
	"bytes"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// filled returns the file of a case without an expectation, with one added; nil if the file's
// style makes that unsafe.
func (c *Case) filled(changes []entry) []byte {
	all := c.source.bytes
	at, added := c.newLines(changes)
	if bytes.HasPrefix(all[c.root.at:], []byte("{")) {
		at = len(bytes.TrimRight(all[:bytes.LastIndexByte(all, '}')], " \t\r\n"))
		added = `"expect": ` + string((&value{kind: object, entries: changes}).JSON())
		if len(c.root.entries) > 0 {
			added = ",\n  " + added
		}
	}
	updated := slices.Insert(slices.Clone(all), at, []byte(added)...)
	if !c.holds(updated, changes) {
		return nil
	}
	return updated
}

// newLines returns the lines of an expectation and the offset at which to insert them: after an
// empty expect key, or at the end.
func (c *Case) newLines(changes []entry) (at int, lines string) {
	all := c.source.bytes
	at, lines = len(all), "expect:\n"
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
	return at, lines
}

// line formats a key of an expectation as a line of YAML: a decision without quotes, other
// strings in quotes.
func (e entry) line() string {
	formatted := string(e.value.JSON())
	if s := e.value.text(); e.value.kind == text && !slices.Contains(decisions[:], s) {
		formatted = tree.QuotedYAML(s)
	} else if e.value.kind == text {
		formatted = s
	}
	return "  " + e.key + ": " + formatted
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
