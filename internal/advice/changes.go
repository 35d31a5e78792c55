package advice

import (
	"slices"
	"strings"
)

// maxPlaces is the maximum number of places in an expression that are changed one at a time.
const maxPlaces = 8

// fold makes the expression ignore case.
func (t *trial) fold() []Change { return t.rewritten("case", "case counts", "(?i)"+t.source) }

// escapes replaces two backslashes by one, and a backspace by \b.
func (t *trial) escapes() []Change {
	const backspace = `in double quotes, YAML turns \b into a backspace; use single quotes`
	return slices.Concat(
		t.rewritten("escape", backspace, strings.ReplaceAll(t.source, "\b", `\b`)),
		t.rewritten("escape", "`\\\\` matches a backslash", strings.ReplaceAll(t.source, `\\`, `\`)))
}

// blanks lets each space match any white space.
func (t *trial) blanks() []Change {
	var all []edit
	walk(t.parsed.rows, func(r row) {
		for _, i := range r.items {
			switch {
			case i.kind != literal || i.char != ' ':
			case i.quantifier == "":
				all = append(all, edit{i.begin, i.end, `\s+`})
			default:
				all = append(all, edit{i.begin, i.atom, `\s`})
			}
		}
	})
	return t.rewritten("blank", "a space matches exactly one space", edited(t.source, all...))
}

// anchors replaces each anchor with a word boundary, then all of them. Without the boundary, the
// changed ^rm would match in "format".
func (t *trial) anchors() (changes []Change) {
	var all []edit
	walk(t.parsed.rows, func(r row) {
		for _, i := range r.items {
			if !i.isStart() && !i.isEnd() || len(all) >= maxPlaces {
				continue
			}
			why := "other text precedes it"
			if i.isEnd() {
				why = "other text follows it"
			}
			all = append(all, edit{i.begin, i.end, `\b`})
			changes = append(changes, t.rewritten("anchor", why, edited(t.source, all[len(all)-1]))...)
		}
	})
	return append(changes, t.rewritten("anchor", "other text surrounds it", edited(t.source, all...))...)
}

// literal escapes special characters: all of them, or those of one kind.
func (t *trial) literal() (changes []Change) {
	for _, signs := range [...]string{special, "()", "[", "+", "?", "*", "$", "|", "{"} {
		if signs == "()" && strings.Contains(t.source, "|") {
			continue // each alternative in the group would become one of the whole expression
		}
		if to, sign := escape(t.source, signs); sign != "" {
			why := "it occurs as literal text; a literal `" + sign + "` needs a backslash"
			changes = append(changes, t.rewritten("literal", why, to)...)
		}
	}
	return changes
}

// glob interprets the expression as a glob.
func (t *trial) glob() []Change {
	const why = "it looks like a glob, and in an expression `*` repeats what precedes it"
	return t.rewritten("glob", why, globText(t.source)+"$")
}

// rewritten returns a change to another expression; none if it is the same or empty.
func (t *trial) rewritten(kind, why, to string) []Change {
	if to == t.source || to == "" {
		return nil
	}
	return []Change{{Kind: kind, To: to, Why: why}}
}

// edit replaces a part of the expression, in bytes.
type edit struct {
	begin, end int
	by         string
}

// edited returns source after the edits.
func edited(source string, edits ...edit) string {
	edits = slices.SortedFunc(slices.Values(edits), func(a, b edit) int { return a.begin - b.begin })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(source[at:e.begin] + e.by)
		at = e.end
	}
	return b.String() + source[at:]
}
