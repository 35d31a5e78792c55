package nearest

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/regex"
)

// mostPlaces bounds how many places of one kind are tried one by one.
const mostPlaces = 8

// fold ignores case.
func (t *trial) fold() []Change {
	return []Change{{Kind: "case", To: "(?i)" + t.source, Why: "case counts"}}
}

// escapes takes a backslash off where there are two: \\. is a backslash and
// any character.
func (t *trial) escapes() (changes []Change) {
	t.inRow(func(n, _, next *regex.Node) {
		if n.Text(t.source) == `\\` && next != nil && len(changes) < mostPlaces && strings.Contains(`.wWdDsSbB$^()[]{}|*+?`, next.Text(t.source)) {
			changes = append(changes, Change{Kind: "escape", To: t.edited(edit{n.Begin, n.End, `\`}), Why: `\\ is a backslash itself`})
		}
	})
	return changes
}

func isChar(n *regex.Node, r rune) bool { return n != nil && n.Kind == regex.Char && n.Rune == r }

// blanks lets each blank stand for any white space.
func (t *trial) blanks() []Change {
	var all []edit
	t.root.Walk(func(n *regex.Node) {
		if n.Kind != regex.Concat {
			return
		}
		for _, item := range n.Children {
			switch {
			case isChar(item, ' '):
				all = append(all, edit{item.Begin, item.End, `\s+`})
			case item.Kind == regex.Repeat && isChar(item.Children[0], ' '):
				all = append(all, edit{item.Begin, item.Children[0].End, `\s`})
			}
		}
	})
	if len(all) == 0 {
		return nil
	}
	return []Change{{Kind: "blank", To: t.edited(all...), Why: "a blank stands for just one blank"}}
}

// dotAll lets a dot stand for a line feed.
func (t *trial) dotAll() []Change {
	if !t.has(func(n *regex.Node) bool { return n.Kind == regex.Any && !n.DotAll }) {
		return nil
	}
	return []Change{{Kind: "dot", To: "(?s)" + t.source, Why: "a dot does not stand for a line feed"}}
}

// dots lets an escaped dot stand for any character.
func (t *trial) dots() (changes []Change) {
	t.inRow(func(n, _, _ *regex.Node) {
		if n.Text(t.source) == `\.` && len(changes) < mostPlaces {
			changes = append(changes, Change{Kind: "dot", To: t.edited(edit{n.Begin, n.End, "."}), Why: `\. is a dot alone`})
		}
	})
	return changes
}

// inRow visits the nodes that stand in rows, with the one before and the one
// behind each, nil if there is none. What is repeated stands for itself.
func (t *trial) inRow(visit func(n, before, next *regex.Node)) {
	t.root.Walk(func(n *regex.Node) {
		if n.Kind != regex.Concat {
			return
		}
		for i, item := range n.Children {
			visit(item, neighbour(n.Children, i-1), neighbour(n.Children, i+1))
		}
	})
}

func neighbour(items []*regex.Node, i int) *regex.Node {
	if i < 0 || i >= len(items) {
		return nil
	}
	n := items[i]
	for n.Kind == regex.Repeat {
		n = n.Children[0]
	}
	return n
}

// edit replaces a part of the expression, in bytes.
type edit struct {
	begin, end int
	by         string
}

// edited is the expression with edits.
func (t *trial) edited(edits ...edit) string {
	edits = slices.SortedFunc(slices.Values(edits), func(a, b edit) int { return a.begin - b.begin })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(t.source[at:e.begin] + e.by)
		at = e.end
	}
	return b.String() + t.source[at:]
}

func (t *trial) has(fits func(*regex.Node) bool) (found bool) {
	t.root.Walk(func(n *regex.Node) { found = found || fits(n) })
	return found
}
