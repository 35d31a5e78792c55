package explain

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

func TestBegin(t *testing.T) {
	for _, test := range []struct {
		text string
		most int
		want string
	}{
		{"short", 20, "short"},
		{"a\nb\tc\x1b", 20, `a\nb\tc\x1b`},
		{"\xff\u202e", 20, `` + "\ufffd" + `\u202e`},
		{strings.Repeat("x", 100), 10, "xxxxxxxxx…"},
		{"日本語日本語日本語", 9, "日本語日…"},
	} {
		if got := Begin(test.text, test.most); got != test.want {
			t.Errorf("%.20q: %s, want %s", test.text, got, test.want)
		}
	}
}

func TestInQuotes(t *testing.T) {
	for expression, want := range map[string]string{
		`^npm publish`:                  `"^npm publish"`,
		`"name"`:                        "`\"name\"`",
		strings.Repeat("publish|", 200): `"` + strings.Repeat("publish|", 14) + `publish…"`,
	} {
		if got := InQuotes(expression); got != want {
			t.Errorf("%.20s: %s", expression, got)
		}
	}
}

func FuzzBegin(f *testing.F) {
	f.Add("a\nb 日本 \x1b[31m\xff", 30)
	f.Fuzz(func(t *testing.T, text string, most int) {
		if most < 4 || most > 500 {
			return
		}
		got := Begin(text, most)
		if term.Width(got) > most && len(text) > most {
			t.Errorf("%d columns, not %d: %q", term.Width(got), most, got)
		}
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("not printable: %q", got)
		}
	})
}
