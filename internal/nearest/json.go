package nearest

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/regex"
)

// jsonBlank has the blanks that the JSON text has: none before a colon, one
// behind each colon and each comma.
func (t *trial) jsonBlank() (changes []Change) {
	for _, try := range [...]struct {
		where func(n, before *regex.Node) bool
		why   string
	}{
		{behindColon, "the JSON text has a blank behind each colon"},
		{behindComma, "the JSON text has a blank behind each comma"},
		{behindBoth, "the JSON text has a blank behind each colon and comma"},
		{behindAny, "the JSON text has a blank behind each colon and comma"},
	} {
		if blanks := t.missingBlanks(try.where); len(blanks) > 0 {
			changes = append(changes, Change{Kind: "blank", To: t.edited(blanks...), Why: try.why})
		}
	}
	if blanks := t.blanksBeforeColon(); len(blanks) > 0 {
		changes = append(changes, Change{Kind: "blank", To: t.edited(blanks...), Why: "the JSON text has no blank before a colon"})
	}
	return changes
}

// behindColon, behindComma and behindBoth report whether n is a sign of the
// JSON text itself, by the one before; behindAny takes any comma for one.
func behindColon(n, before *regex.Node) bool { return isChar(n, ':') && isChar(before, '"') }
func behindComma(n, before *regex.Node) bool {
	return isChar(n, ',') && before != nil && before.Kind == regex.Char && strings.ContainsRune(`"]}`, before.Rune)
}
func behindBoth(n, before *regex.Node) bool { return behindColon(n, before) || behindComma(n, before) }
func behindAny(n, before *regex.Node) bool  { return behindColon(n, before) || isChar(n, ',') }

func (t *trial) missingBlanks(where func(n, before *regex.Node) bool) (all []edit) {
	t.inRow(func(n, before, next *regex.Node) {
		if where(n, before) && next != nil && !isChar(next, ' ') && !isSpace(next) {
			all = append(all, edit{n.End, n.End, " "})
		}
	})
	return all
}

func isSpace(n *regex.Node) bool { return n.Kind == regex.Class && n.Set.Classes == "s" }

func (t *trial) blanksBeforeColon() (all []edit) {
	t.inRow(func(n, before, next *regex.Node) {
		if isChar(n, ' ') && isChar(before, '"') && isChar(next, ':') {
			all = append(all, edit{n.Begin, n.End, ""})
		}
	})
	return all
}

// jsonQuotes takes the quotes off a value that has none in the JSON text, or
// adds them.
func (t *trial) jsonQuotes() (changes []Change) {
	t.root.Walk(func(n *regex.Node) {
		if n.Kind != regex.Concat {
			return
		}
		for i := range n.Children {
			if begin := valueAt(n.Children, i); begin > 0 && len(changes) < mostPlaces {
				changes = append(changes, t.otherQuotes(n.Children[begin:])...)
			}
		}
	})
	if bare := bareWords(t.source); bare != t.source {
		changes = append(changes, Change{Kind: "quote", To: bare, Why: whyBare})
	}
	if strings.Contains(t.source, "':") {
		changes = append(changes, Change{Kind: "quote", To: strings.ReplaceAll(t.source, "'", `"`), Why: "the JSON text has double quotes"})
	}
	return changes
}

const whyBare = "the value is no string, so it has no quotes"

// bareWords takes the quotes off what is a number, true, false or null in the
// JSON text.
func bareWords(source string) string {
	parts := strings.Split(source, `"`)
	for i := 1; i+1 < len(parts); i++ {
		word, key := parts[i], strings.HasPrefix(parts[i+1], ":")
		if bare := strings.Trim(word, "0123456789") == "" || word == "true" || word == "false" || word == null; bare && word != "" && !key {
			parts[i-1] += word + parts[i+1]
			parts = slices.Delete(parts, i, i+2)
			i--
		}
	}
	return strings.Join(parts, `"`)
}

// valueAt returns the index of the value behind the colon at items[i], 0 if
// there is none.
func valueAt(items []*regex.Node, i int) int {
	if i == 0 || !behindColon(items[i], items[i-1]) {
		return 0
	}
	for i++; i < len(items); i++ {
		if n := neighbour(items, i); !isChar(n, ' ') && !isSpace(n) {
			return i
		}
	}
	return 0
}

// otherQuotes changes the quotes of the value that items begin with.
func (t *trial) otherQuotes(items []*regex.Node) []Change {
	if isChar(items[0], '"') {
		edits := []edit{{items[0].Begin, items[0].End, ""}}
		if end := slices.IndexFunc(items[1:], func(n *regex.Node) bool { return isChar(n, '"') }); end >= 0 {
			edits = append(edits, edit{items[1+end].Begin, items[1+end].End, ""})
		}
		return []Change{{Kind: "quote", To: t.edited(edits...), Why: whyBare}}
	}
	n := slices.IndexFunc(items, func(n *regex.Node) bool { return n.Kind == regex.Char && strings.ContainsRune(",}]{[", n.Rune) })
	if n == 0 {
		return nil
	}
	if n < 0 {
		n = len(items)
	}
	const why = "the value is a string, so it has quotes"
	start, end := edit{items[0].Begin, items[0].Begin, `"`}, edit{items[n-1].End, items[n-1].End, `"`}
	return []Change{{Kind: "quote", To: t.edited(start, end), Why: why}, {Kind: "quote", To: t.edited(start), Why: why}}
}

// jsonEscapes spells what the JSON text escapes: line feeds, tabs, backslashes,
// and the quotes inside a string. Whether a quote at the end is inside one is
// tried.
func (t *trial) jsonEscapes() (changes []Change) {
	if !t.aboutJSON() {
		return nil
	}
	for _, atEnd := range [...]bool{true, false} {
		var all []edit
		t.root.Walk(func(n *regex.Node) {
			if n.Kind != regex.Concat {
				return
			}
			for i, item := range n.Children {
				if by := jsonEscape(n.Children, i, atEnd); by != "" {
					all = append(all, edit{item.Begin, item.End, by})
				}
			}
		})
		if len(all) > 0 {
			changes = append(changes, Change{Kind: "escape", To: t.edited(all...), Why: "the JSON text has " + t.escaped(all[0]) + ", escaped"})
		}
	}
	return changes
}

// escaped shows what an edit escapes as the JSON text has it.
func (t *trial) escaped(e edit) string { return "`" + strings.ReplaceAll(e.by, `\\`, `\`) + "`" }

// jsonEscape returns the expression of items[i] as the JSON text has it, "" if
// that is the same.
func jsonEscape(items []*regex.Node, i int, atEnd bool) string {
	if items[i].Kind != regex.Char {
		return ""
	}
	switch items[i].Rune {
	case '\n':
		return `\\n`
	case '\t':
		return `\\t`
	case '\r':
		return `\\r`
	case '\\':
		return `\\\\`
	case '"':
		behind := beside(items, i, 1)
		if isSign(beside(items, i, -1)) || behind == nil && !atEnd || behind != nil && isSign(behind) {
			return ""
		}
		return `\\"`
	}
	return ""
}

// beside returns what stands next to items[i] in a direction, blanks aside;
// nil if there is nothing.
func beside(items []*regex.Node, i, step int) *regex.Node {
	for i += step; i >= 0 && i < len(items); i += step {
		if n := neighbour(items, i); !isChar(n, ' ') && !isSpace(n) {
			return n
		}
	}
	return nil
}

// isSign reports whether n, or nothing, is what stands beside the quotes of
// JSON text.
func isSign(n *regex.Node) bool {
	return n == nil || n.Kind == regex.Assert || n.Kind == regex.Char && strings.ContainsRune(":,{}[]", n.Rune)
}

// aboutJSON reports whether the expression has a key of JSON text in it.
func (t *trial) aboutJSON() (about bool) {
	t.inRow(func(n, before, _ *regex.Node) { about = about || behindColon(n, before) })
	return about
}

// AboutJSON reports whether the pattern can be found in the input's JSON text
// alone, since it has a key in it.
func (m Matcher) AboutJSON() bool { return newTrial(m, "pattern").aboutJSON() }
