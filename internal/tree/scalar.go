package tree

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// YAML encodes a string as a YAML scalar on one line, without quotes if every parser reads it
// as a string.
func YAML(s string) string {
	const first, words = "-?:,[]{}#&*!|>'\"%@`~=<+.0123456789 ", " true false null yes no on off y n "
	plain := s != "" && !strings.ContainsAny(s[:1], first) && !strings.ContainsAny(s[len(s)-1:], " :") && !strings.Contains(s, ": ") &&
		!strings.Contains(s, " #") && !strings.Contains(words, " "+strings.ToLower(s)+" ") && !strings.ContainsFunc(s, hidden)
	if plain {
		return s
	}
	return QuotedYAML(s)
}

// QuotedYAML encodes a string as a quoted YAML scalar on one line, in single quotes if possible, so
// that backslashes need no escaping. Invalid UTF-8 becomes U+FFFD.
func QuotedYAML(s string) string {
	if strings.ContainsFunc(s, hidden) {
		return strconv.Quote(strings.ToValidUTF8(s, "\ufffd"))
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// JSON encodes a string as JSON that is also valid in YAML and TOML, which require more escapes.
func JSON(s string) string {
	var b strings.Builder
	for _, r := range string(rawjson.AppendText(nil, s)) {
		if r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r == 0xfffe || r == 0xffff {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hidden(r rune) bool { return r == '\t' || r == '\ufffd' || shown.Hidden(r) }
