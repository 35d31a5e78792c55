package nearest

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agent-hooks/agent-hooks/internal/regex"
	"github.com/agent-hooks/agent-hooks/spec"
)

// toolWord takes a word for a slip in a name of the event's tool.
func (t *trial) toolWord() (changes []Change) {
	for _, word := range t.runs() {
		if near, ok := slip(word.text, t.Subject.Names); ok && sameServer(word.text, near) {
			changes = append(changes, Change{Kind: "word", To: t.edited(edit{word.begin, word.end, near}), Why: quoted(near) + " is the tool's name"})
		}
	}
	return first(changes)
}

// ofServer takes the name of a server's tool apart.
func ofServer(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "__")
}

// otherAgent takes a word that is one agent's name of the event's tool for the
// name that holds in every agent; nearAgent one that nearly is.
func (t *trial) otherAgent() (changes []Change) {
	for _, word := range t.runs() {
		changes = append(changes, t.common(word, word.text)...)
	}
	return changes
}

func (t *trial) nearAgent() (changes []Change) {
	for _, word := range t.runs() {
		if near, ok := slip(word.text, spec.KnownTools()); ok && !spec.KnownTool(word.text) {
			changes = append(changes, t.common(word, near)...)
		}
	}
	return changes
}

// common writes the name that holds in every agent for a word that one agent
// spells as name.
func (t *trial) common(word run, name string) []Change {
	for _, common := range spec.ToolNames(name)[1:] {
		if slices.Contains(t.Subject.Names, common) && !slices.Contains(t.Subject.Names, name) {
			return []Change{{Kind: "agent", To: t.edited(edit{word.begin, word.end, common}),
				Why: quoted(name) + " is what another agent calls it, " + quoted(common) + " matches in every agent"}}
		}
	}
	return nil
}

// list reads tools separated by something else than |, and a permission rule.
func (t *trial) list() (changes []Change) {
	known := append(spec.KnownTools(), t.Subject.Names...)
	if name, _, ok := strings.Cut(t.source, "("); ok {
		if !slices.Contains(known, name) {
			return nil
		}
		return []Change{{Kind: "list", To: name, Why: "it looks like a permission rule, of which `tool` has the name, and `pattern` the rest as an expression"}}
	}
	names := strings.FieldsFunc(t.source, func(r rune) bool { return strings.ContainsRune(" \t\n,;/&|+:\"'`", r) })
	names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(known, name) })
	switch names = slices.Compact(names); len(names) {
	case 0:
		return nil
	case 1:
		return []Change{{Kind: "list", To: names[0], Why: "the name stands alone"}}
	}
	return []Change{{Kind: "list", To: strings.Join(names, "|"), Why: "names are separated by |"}}
}

// server spells the name of a server, or of its tool, as agents have it.
func (t *trial) server() (changes []Change) {
	for _, name := range t.Subject.Names {
		server, tool, ok := ofServer(name)
		if !ok {
			continue
		}
		prefix := "mcp__" + server + "__"
		for _, branch := range t.root.Core().Branches() {
			lead := leading(branch)
			if lead.text == "" || len(changes) >= mostPlaces {
				continue
			}
			change := func(to string) Change {
				return Change{Kind: "server", To: t.edited(edit{lead.begin, lead.end, to}), Why: "the tool's name is " + quoted(name)}
			}
			if ofSame := sameServer(lead.text, name); ofSame && alike(lead.text, server+tool) || alike(lead.text, tool) {
				changes = append(changes, change(name))
			}
			if bare(lead.text) == letters(server) {
				changes = append(changes, change(prefix))
			}
		}
	}
	return changes
}

// leading returns the text with which a branch begins behind its anchors.
func leading(branch *regex.Node) (text run) {
	items := branch.Items()
	for len(items) > 0 && items[0].Kind == regex.Assert {
		items = items[1:]
	}
	for i, item := range items {
		if item.Kind != regex.Char && (item.Kind != regex.Any || i+1 == len(items) || items[i+1].Kind != regex.Char) {
			break
		}
		if text.text == "" {
			text.begin = item.Begin
		}
		text.text, text.end = text.text+string(item.Rune), item.End
	}
	return text
}

// alike reports whether two names are the same, or nearly, but for case and
// signs, and for a leading mcp.
func alike(a, b string) bool {
	a, b = bare(a), letters(b)
	if a == b {
		return a != ""
	}
	_, near := spec.Nearest(a, []string{b})
	return near && len(b)-len(a) <= 2
}

// sameServer reports whether a word begins with the server of a tool's name, or
// that is no server's tool. Servers may differ in a letter and be two.
func sameServer(word, name string) bool {
	server, _, ok := ofServer(name)
	return !ok || strings.HasPrefix(bare(word), letters(server))
}

// bare returns the letters of a name without a leading mcp.
func bare(name string) string { return strings.TrimPrefix(letters(name), "mcp") }

// letters returns the letters and digits of a name, small.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
