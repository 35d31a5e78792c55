package yamltext

import (
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// Scalar spells a string as a YAML scalar on one line: without quotes if every parser reads it
// as a string.
func Scalar(s string) string {
	const first, words = "-?:,[]{}#&*!|>'\"%@`~=<+.0123456789 ", " true false null yes no on off y n "
	plain := s != "" && !strings.ContainsAny(s[:1], first) && !strings.ContainsAny(s[len(s)-1:], " :") && !strings.Contains(s, ": ") &&
		!strings.Contains(s, " #") && !strings.Contains(words, " "+strings.ToLower(s)+" ") && !strings.ContainsFunc(s, hidden)
	if plain {
		return s
	}
	return Quoted(s)
}

// Quoted spells a string as a quoted YAML scalar on one line: in single quotes if possible, so
// that backslashes need no escaping. Invalid UTF-8 becomes U+FFFD.
func Quoted(s string) string {
	if strings.ContainsFunc(s, hidden) {
		return strconv.Quote(strings.ToValidUTF8(s, "\ufffd"))
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

func hidden(r rune) bool { return r == '\t' || r == '\ufffd' || shown.Hidden(r) }
