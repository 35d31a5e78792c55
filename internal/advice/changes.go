package advice

import (
	"slices"
	"strings"
)

// fold makes the expression ignore case.
func (t *trial) fold() []Change { return t.rewritten("case", "case counts", "(?i)"+t.source) }

// escapes replaces two backslashes by one, and a backspace by \b.
func (t *trial) escapes() []Change {
	const backspace = `in double quotes, YAML turns \b into a backspace; use single quotes`
	return slices.Concat(
		t.rewritten("escape", backspace, strings.ReplaceAll(t.source, "\b", `\b`)),
		t.rewritten("escape", "`\\\\` matches a backslash", strings.ReplaceAll(t.source, `\\`, `\`)))
}

// spaces lets each space match any white space.
func (t *trial) spaces() []Change {
	return t.rewritten("space", "a space matches exactly one space", strings.ReplaceAll(t.source, " ", `\s+`))
}

// anchors replaces the anchors at both ends with word boundaries. Without the boundary, the changed
// ^rm would match in "format".
func (t *trial) anchors() (changes []Change) {
	rest, begins := strings.CutPrefix(t.source, "^")
	inner, ends := strings.CutSuffix(rest, "$")
	ends = ends && !strings.HasSuffix(inner, `\`)
	if begins {
		changes = t.rewritten("anchor", "other text precedes it", `\b`+rest)
	}
	if ends {
		changes = append(changes, t.rewritten("anchor", "other text follows it", strings.TrimSuffix(t.source, "$")+`\b`)...)
	}
	if begins && ends {
		changes = append(changes, t.rewritten("anchor", "other text surrounds it", `\b`+inner+`\b`)...)
	}
	return changes
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
