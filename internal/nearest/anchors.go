package nearest

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/regex"
	"github.com/agent-hooks/agent-hooks/matcher"
)

// lines lets ^ and $ hold at each line.
func (t *trial) lines() []Change {
	if t.allowList() || !t.has(func(n *regex.Node) bool {
		return n.Kind == regex.Assert && strings.ContainsRune("^$", n.Rune) && !n.Lines
	}) {
		return nil
	}
	return []Change{{Kind: "lines", To: "(?m)" + t.source, Why: "^ and $ are those of the value, not of a line"}}
}

// anchors takes one anchor off, then all. Beside a word its boundary stays, or
// ^rm would be found in "format".
func (t *trial) anchors() (changes []Change) {
	if t.allowList() {
		return nil
	}
	var all []edit
	var dropped edges
	t.inRow(func(n, before, next *regex.Node) {
		if n.Kind != regex.Assert || len(all) >= mostPlaces {
			return
		}
		e := edit{n.Begin, n.End, ""}
		if n.IsStart() && isWord(next) || n.IsEnd() && isWord(before) {
			e.by = `\b`
		}
		lost := edgeOf(n, before)
		all, dropped = append(all, e), dropped.and(lost)
		changes = append(changes, Change{Kind: "anchor", To: t.edited(e), Why: whyAnchor(n), dropped: lost})
	})
	if len(all) > 1 {
		changes = append(changes, Change{Kind: "anchor", To: t.edited(all...), Why: "more stands around it", dropped: dropped})
	}
	return changes
}

func isWord(n *regex.Node) bool { return n != nil && n.Kind == regex.Char && wordRune(n.Rune) }

func whyAnchor(n *regex.Node) string {
	switch {
	case n.IsStart():
		return "something stands before it"
	case n.IsEnd():
		return "something stands behind it"
	}
	return `\` + string(n.Rune) + " does not hold there"
}

func notReached(anchor, after string) string {
	return "`" + anchor + "` is not reached: `" + leadingWord(after) + "` follows"
}

// leadingWord is the word that text begins with, or its first character.
func leadingWord(text string) string {
	const most = 40
	text = text[:min(len(text), most)]
	if end := strings.IndexFunc(text, func(r rune) bool { return !wordRune(r) }); end > 0 {
		return text[:end]
	} else if end == 0 {
		_, size := utf8.DecodeRuneInString(text)
		return text[:size]
	}
	return strings.ToValidUTF8(text, "")
}

// around returns the place where an expression is first found in what the part
// is searched in, and what stands before and behind it.
func (t *trial) around(source string) (before, found, after string, ok bool) {
	texts := t.Subject.Names
	if t.part == "pattern" {
		texts = slices.Clone(t.Subject.Values[:min(len(t.Subject.Values), mostTried)])
		texts = append(texts, t.Subject.Text)
	}
	for _, text := range texts {
		if begin, end, ok := matcher.Find(source, text, t.deadline); ok {
			return text[:begin], text[begin:end], text[end:], true
		}
	}
	return "", "", "", false
}

// place is what an anchor could be instead, and why; none if why is "".
type place struct {
	edit
	why string
}

// toolAnchors takes ^ and $ to where a name of a server's tool has its parts,
// or words end. looseToolAnchors takes them off where no word ends.
func (t *trial) toolAnchors() []Change      { return t.rowAnchors(false) }
func (t *trial) looseToolAnchors() []Change { return t.rowAnchors(true) }

func (t *trial) rowAnchors(loose bool) (changes []Change) {
	if t.allowList() {
		return nil
	}
	t.root.Walk(func(n *regex.Node) {
		if n.Kind == regex.Concat && len(n.Children) > 1 && len(changes) < mostPlaces {
			changes = append(changes, t.oneRow(n.Children, loose)...)
		}
	})
	return changes
}

// oneRow tries the places for the anchors of one row.
func (t *trial) oneRow(row []*regex.Node, loose bool) (changes []Change) {
	first, last := row[0], row[len(row)-1]
	var bare []edit
	for _, n := range [...]*regex.Node{first, last} {
		if n == first && n.IsStart() || n == last && n.IsEnd() {
			bare = append(bare, edit{n.Begin, n.End, ""})
		}
	}
	before, _, after, ok := t.around(t.edited(bare...))
	if !ok || len(bare) == 0 {
		return nil
	}
	starts, ends := []place{{}}, []place{{}}
	if first.IsStart() && before != "" {
		starts = append(starts, t.startPlaces(first, row[1], before, loose)...)
	}
	if last.IsEnd() && after != "" {
		ends = append(ends, t.endPlaces(last, row[len(row)-2], after, loose)...)
	}
	for _, start := range starts {
		for _, end := range ends {
			changes = append(changes, t.moved(start, end))
		}
	}
	return changes
}

// moved is the expression with its anchors at other places.
func (t *trial) moved(places ...place) Change {
	var edits []edit
	var why []string
	for _, p := range places {
		if p.why != "" {
			edits, why = append(edits, p.edit), append(why, p.why)
		}
	}
	return Change{Kind: "anchor", To: t.edited(edits...), Why: strings.Join(why, ", and ")}
}

// startPlaces returns what ^ could be instead where before stands before it.
func (t *trial) startPlaces(n, next *regex.Node, before string, loose bool) []place {
	anchor := n.Text(t.source)
	var by []string
	if before == "mcp__" {
		by = append(by, anchor+before)
	}
	if strings.HasSuffix(before, "__") {
		by = append(by, "__")
	}
	return places(n, append(by, besideAnchor(next, loose)...), "`"+anchor+"` is not there: `"+before+"` stands before it")
}

// endPlaces returns what $ could be instead where after stands behind it.
func (t *trial) endPlaces(n, previous *regex.Node, after string, loose bool) []place {
	var by []string
	if strings.HasPrefix(after, "__") {
		by = append(by, "__")
	}
	return places(n, append(by, besideAnchor(previous, loose)...), notReached(n.Text(t.source), after))
}

// besideAnchor returns what may be left of an anchor beside n: beside a word its
// boundary, or nothing.
func besideAnchor(n *regex.Node, loose bool) (by []string) {
	if isWord(n) {
		by = append(by, `\b`)
	}
	if loose || !isWord(n) {
		by = append(by, "")
	}
	return by
}

func places(n *regex.Node, all []string, why string) (places []place) {
	for _, by := range all {
		places = append(places, place{edit{n.Begin, n.End, by}, why})
	}
	return places
}
