package advice

import (
	"slices"
	"strings"
)

// mostPlaces is the maximum number of places of one kind that are tried separately.
const mostPlaces = 8

// fold ignores case.
func (t *trial) fold() []Change {
	return []Change{{Kind: "case", To: "(?i)" + t.source, Why: "case counts"}}
}

// escapes replaces two backslashes by one: \\. is a backslash and any character.
func (t *trial) escapes() (changes []Change) {
	t.inRow(func(n, _, next *node) {
		if n.text(t.source) == `\\` && next != nil && len(changes) < mostPlaces && strings.Contains(`.wWdDsSbB$^()[]{}|*+?`, next.text(t.source)) {
			changes = append(changes, Change{Kind: "escape", To: t.edited(edit{n.Begin, n.End, `\`}), Why: `\\ is a backslash itself`})
		}
	})
	return changes
}

// controls replaces a backspace by \b, which YAML reads as a backspace in double quotes.
func (t *trial) controls() []Change {
	if !strings.Contains(t.source, "\b") {
		return nil
	}
	return []Change{{Kind: "escape", To: strings.ReplaceAll(t.source, "\b", `\b`), Why: `between double quotes YAML makes a backspace of \b; use single quotes`}}
}

// blanks lets each space match any white space.
func (t *trial) blanks() []Change {
	var all []edit
	t.root.rows(func(items []*node) {
		for _, item := range items {
			switch {
			case isChar(item, ' '):
				all = append(all, edit{item.Begin, item.End, `\s+`})
			case item.Kind == repeatNode && isChar(item.Children[0], ' '):
				all = append(all, edit{item.Begin, item.Children[0].End, `\s`})
			}
		}
	})
	return t.edits("blank", "a space matches exactly one space", all...)
}

// trim removes leading and trailing white space.
func (t *trial) trim() []Change {
	to := strings.TrimSpace(t.source)
	if to == t.source || to == "" {
		return nil
	}
	dropped := edges{blank: !strings.HasPrefix(t.source, to), end: !strings.HasSuffix(t.source, to)}
	return []Change{{Kind: "blank", To: to, Why: "the white space at its ends counts", dropped: dropped}}
}

// flags lets ^ and $ match at each line, and a dot match a newline.
func (t *trial) flags() (changes []Change) {
	if !t.allowList() && t.has(func(n *node) bool { return n.Kind == assertNode && strings.ContainsRune("^$", n.Rune) && !n.Lines }) {
		changes = append(changes, Change{Kind: "lines", To: "(?m)" + t.source, Why: "^ and $ are those of the value, not of a line"})
	}
	if t.has(func(n *node) bool { return n.Kind == anyNode && !n.DotAll }) {
		changes = append(changes, Change{Kind: "dot", To: "(?s)" + t.source, Why: "a dot does not match a newline"})
	}
	return changes
}

// dots lets an escaped dot match any character.
func (t *trial) dots() (changes []Change) {
	t.inRow(func(n, _, _ *node) {
		if n.text(t.source) == `\.` && len(changes) < mostPlaces {
			changes = append(changes, Change{Kind: "dot", To: t.edited(edit{n.Begin, n.End, "."}), Why: `\. matches only a dot`})
		}
	})
	return changes
}

// anchors removes one anchor, then all. Next to a word, it keeps a word boundary, or ^rm would
// be found in "format". In the name of a server's tool, __ also ends a word.
func (t *trial) anchors() (changes []Change) {
	if t.allowList() {
		return nil
	}
	var all []edit
	var dropped edges
	t.inRow(func(n, before, next *node) {
		if n.Kind != assertNode || len(all) >= mostPlaces {
			return
		}
		lost := edgeOf(n, before)
		dropped = dropped.and(lost)
		by := []string{""}
		if beside := n.isStart() && isLetter(next) || n.isEnd() && isLetter(before); beside && t.part == "tool" {
			by = []string{"__", `\b`, ""}
		} else if beside {
			by = []string{`\b`}
		}
		all = append(all, edit{n.Begin, n.End, by[0]})
		for _, by := range by {
			changes = append(changes, Change{Kind: "anchor", To: t.edited(edit{n.Begin, n.End, by}), Why: whyAnchor(n), dropped: lost})
		}
	})
	if len(all) > 1 {
		changes = append(changes, Change{Kind: "anchor", To: t.edited(all...), Why: "more stands around it", dropped: dropped})
	}
	return changes
}

func whyAnchor(n *node) string {
	switch {
	case n.isStart():
		return "something stands before it"
	case n.isEnd():
		return "something stands behind it"
	}
	return `\` + string(n.Rune) + " does not hold there"
}

// inRow visits the nodes in rows, each with the node before and after it, or nil. A repetition
// counts as one node.
func (t *trial) inRow(visit func(n, before, next *node)) {
	t.root.rows(func(items []*node) {
		for i, item := range items {
			visit(item, neighbour(items, i-1), neighbour(items, i+1))
		}
	})
}

func neighbour(items []*node, i int) *node {
	if i < 0 || i >= len(items) {
		return nil
	}
	n := items[i]
	for n.Kind == repeatNode {
		n = n.Children[0]
	}
	return n
}

// edit replaces a part of the expression, in bytes.
type edit struct {
	begin, end int
	by         string
}

// edits returns a change that makes all of the edits, or nothing if there are none.
func (t *trial) edits(kind, why string, all ...edit) []Change {
	if len(all) == 0 {
		return nil
	}
	return []Change{{Kind: kind, To: t.edited(all...), Why: why}}
}

// edited returns the expression after the edits.
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

func (t *trial) has(fits func(*node) bool) (found bool) {
	t.root.walk(func(n *node) { found = found || fits(n) })
	return found
}
