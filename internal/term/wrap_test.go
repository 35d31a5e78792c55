package term

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHang(t *testing.T) {
	tests := []struct {
		name, text    string
		indent, width int
		want          []string
	}{
		{"it fits", "to be or not", 2, 12, []string{"to be or not"}},
		{"no terminal", "to be or not to be", 2, 0, []string{"to be or not to be"}},
		{"no room next to the indent", "to be or not to be", 9, 12, []string{"to be or not to be"}},
		{"at spaces", "  to be or not to be", 4, 14, []string{"  to be or not", "    to be"}},
		{"a word that fits into the next line", "an interpreter of it", 2, 13, []string{"an", "  interpreter", "  of it"}},
		{"a word that fits nowhere", "abcdefghijklmnopqrst", 2, 12, []string{"abcdefghijkl", "  mnopqrst"}},
		{"a path", "in /home/mei/hooks/block-rm/HOOK.md:1:1", 2, 18, []string{"in /home/mei/", "  hooks/block-rm/", "  HOOK.md:1:1"}},
		{"an expression", "is not (publish|unpublish|tag) it", 2, 16, []string{"is not (publish|", "  unpublish|tag)", "  it"}},
		{"an expression that only fits nowhere", "searched (unpublish|deprecated) it", 2, 15, []string{"searched", "  (unpublish|", "  deprecated)", "  it"}},
		{"a long name", "keep-the-generated-clients", 2, 14, []string{"keep-the-", "  generated-", "  clients"}},
		{"between ideographs", "本当に読みますか。", 2, 16, []string{"本当に読みますか", "  。"}},
		{"not within a path", "誤り /検査/規則/試験 ここ", 2, 18, []string{"誤り", "  /検査/規則/試験", "  ここ"}},
		{"not within a name that fits below", "no tests: abcdefgh, 格式化", 0, 24, []string{"no tests: abcdefgh,", "格式化"}},
		{"Hangul has spaces", "한국어 텍스트입니다", 2, 14, []string{"한국어", "  텍스트입니다"}},
		{"colors have no width", "\x1b[1;31merror:\x1b[0m to be or", 2, 15, []string{"\x1b[1;31merror:\x1b[0m to be or"}},
		{"colors after a space", "to be \x1b[1mor not to be\x1b[0m", 2, 12, []string{"to be \x1b[1mor not", "  to be\x1b[0m"}},
		{"marks stay with their letter", strings.Repeat("e\u0301", 14), 2, 12, []string{strings.Repeat("e\u0301", 12), "  e\u0301e\u0301"}},
		{"tabs", "a\tb\tc", 0, 40, []string{"a       b       c"}},
		{"tabs after the head", "  out: a\tb", 7, 40, []string{"  out: a       b"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Hang(test.text, test.indent, test.width)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzHang checks that no line is too wide and that only spaces are lost.
func FuzzHang(f *testing.F) {
	f.Add("error: /home/mei/hooks/検査/HOOK.md: 誤り", 4, 20)
	f.Add("\x1b[1ma b\x1b[0m\t\u0301c", 0, 10)
	f.Add("a\x1b[b m", 2, 12)
	f.Fuzz(func(t *testing.T, text string, indent, width int) {
		if indent < 0 || indent > 100 || width > 300 || len(text) > 10000 {
			return
		}
		text = Printable(text)
		lines := Hang(text, indent, width)
		unbroken := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if got := unbroken(strings.Join(lines, "")); got != unbroken(text) {
			t.Errorf("got %q of %q", got, text)
		}
		for _, line := range lines {
			if width >= indent+10 && Width(line) > width {
				t.Errorf("%d columns of %d: %q", Width(line), width, line)
			}
		}
	})
}

func TestCaret(t *testing.T) {
	long := "matcher: {tool: Shell, pattern: '秘密の鍵', tol: Shell, more: to come behind it}"
	tests := []struct {
		name, source  string
		column, width int
		want          string
	}{
		{"plain", "tool: Shel", 7, 40, "tool: Shel\n      ^"},
		{"the file as a whole", "---", 0, 40, "---\n^"},
		{"behind the end", "tool:", 9, 40, "tool:\n     ^"},
		{"wide characters", "名前: 検査 x", 8, 40, "名前: 検査 x\n           ^"},
		{"marks", "e\u0301e\u0301: x", 6, 40, "e\u0301e\u0301: x\n   ^"},
		{"tabs", "\ttool:\tx", 8, 40, "        tool:   x\n                ^"},
		{"what a terminal would obey", "a\x1bb: x", 5, 40, "a\\x1bb: x\n       ^"},
		{"a column in front of a long line", long, 11, 30, "matcher: {tool: Shell, patter…\n          ^"},
		{"within a long line", long, 41, 30, "…ttern: '秘密の鍵', tol: Shel…\n                    ^"},
		{"at the end of a long line", long, 70, 30, "…ell, more: to come behind it}\n                       ^"},
		{"no terminal", long, 11, 0, long + "\n          ^"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			line, blanks := Caret(test.source, test.column, test.width)
			if got := line + "\n" + blanks + "^"; got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if test.width > 0 && Width(line) > test.width {
				t.Errorf("%d columns", Width(line))
			}
		})
	}
}
