package explain

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

// maxExpression is the maximum width of an expression in a reason, in columns: a guard's may have
// hundreds, and its HOOK.md shows them.
const maxExpression = 120

// InQuotes shortens an expression, and quotes it with quotes that do not occur in it.
func InQuotes(s string) string {
	s = Shown(strings.ReplaceAll(s, "\b", `\x08`)) // \b has another meaning in an expression
	s = term.CutTo(s, maxExpression)
	if strings.Contains(s, `"`) && !strings.Contains(s, "`") {
		return "`" + s + "`"
	}
	return `"` + s + `"`
}

// Shown makes text from a hook or an event printable on one line, with tabs and newlines as
// escapes.
func Shown(s string) string { return term.Printable(strings.ReplaceAll(s, "\t", `\t`)) }

// Begin makes text printable on one line and shortens it to limit columns.
func Begin(text string, limit int) string {
	first := text[:min(len(text), 4*limit)] // the rest is not shown
	line := Shown(strings.ToValidUTF8(first, "\ufffd"))
	if len(first) < len(text) {
		line += " "
	}
	return term.CutTo(line, limit)
}
