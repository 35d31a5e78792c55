package main

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/term"
	"go.yaml.in/yaml/v3"
)

// An expression in a hint can be copied into a HOOK.md.
func TestYAMLText(t *testing.T) {
	for _, s := range []string{
		`npm\s+publish`, `^rm`, `\.py$`, `"file_path": ".*\.py"`, `(?m)^rm`, `a: b`, `a #b`, `it's`, `'x'`, `[ab]+`, `{a}`, ` x`, `x `, `x:`, `*`, `&a`, `-x`, `?x`,
		`%x`, `@x`, "`x`", `!x`, `|x`, `>x`, `#x`, `,x`, `a, b`, `true`, `No`, `5`, `1e3`, `+1`, `.5`, `2020-01-01`, `<<`, `0x1F`, `~`, `=`, `危険`,
	} {
		var got struct{ Pattern yaml.Node }
		if err := yaml.Unmarshal([]byte("pattern: "+yamlText(s)+"\n"), &got); err != nil || got.Pattern.Value != s || got.Pattern.ShortTag() != "!!str" {
			t.Errorf("%s is read as %s %q, %v", yamlText(s), got.Pattern.ShortTag(), got.Pattern.Value, err)
		}
	}
}

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
		if got := around(test.text, test.begin, test.end, test.most); got != test.want {
			t.Errorf("%.20q: %s, want %s", test.text, got, test.want)
		}
	}
}

func FuzzAround(f *testing.F) {
	f.Add("a\nb 日本 \x1b[31m\xff", 3, 30)
	f.Fuzz(func(t *testing.T, text string, begin, most int) {
		if most < 4 || most > 500 || begin < 0 || begin > len(text) {
			return
		}
		got := around(text, begin, begin, most)
		if term.Width(got) > most && len(text) > most {
			t.Errorf("%d columns, not %d: %q", term.Width(got), most, got)
		}
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("not printable: %q", got)
		}
	})
}
