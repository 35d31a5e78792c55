package explain

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

func TestAround(t *testing.T) {
	long := strings.Repeat("x", 100) + "needle" + strings.Repeat("y", 100)
	for _, test := range []struct {
		text       string
		begin, end int
		most       int
		want       string
	}{
		{"short", 0, 5, 20, "short"},
		{"a\nb\tc\x1b", 0, 0, 20, `a\nb\tc\x1b`},
		{"\xff\u202e", 0, 0, 20, `` + "\ufffd" + `\u202e`},
		{long, 100, 106, 24, "…xxxxxxxxneedleyyyyyyyy…"},
		{long, 0, 0, 10, "xxxxxxxxx…"},
		{long, 200, 206, 12, "…yyyyyyyyyy"},
		{"日本語日本語日本語", 0, 0, 9, "日本語日…"},
	} {
		if got := Around(test.text, test.begin, test.end, test.most); got != test.want {
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

func FuzzAround(f *testing.F) {
	f.Add("a\nb 日本 \x1b[31m\xff", 3, 30)
	f.Fuzz(func(t *testing.T, text string, begin, most int) {
		if most < 4 || most > 500 || begin < 0 || begin > len(text) {
			return
		}
		got := Around(text, begin, begin, most)
		if term.Width(got) > most && len(text) > most {
			t.Errorf("%d columns, not %d: %q", term.Width(got), most, got)
		}
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("not printable: %q", got)
		}
	})
}
