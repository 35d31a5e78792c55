package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shown formats lines with "|" between cells of different styles.
func shown(lines []line) []string {
	var all []string
	for _, l := range lines {
		var b strings.Builder
		for i, c := range l {
			if i > 0 && !l[i-1].looksLike(c) {
				b.WriteString("|")
			}
			b.WriteString(c.text)
		}
		all = append(all, b.String())
	}
	return all
}

func TestReadScreen(t *testing.T) {
	for name, test := range map[string]struct {
		printed string
		want    []string
	}{
		"nothing":                 {"", nil},
		"blank end":               {"a\r\n\r\n  \r\n", []string{"a"}},
		"blank line":              {"a\r\n\r\nb", []string{"a", "", "b"}},
		"styles":                  {"\x1b[1;31mFAIL\x1b[0m x\x1b[2my\x1b[0m", []string{"FAIL| x|y"}},
		"taken back":              {"waiting\r\x1b[Kdone\r\n", []string{"done"}},
		"written over":            {"abc\rx", []string{"xbc"}},
		"erased after the cursor": {"abc\rx\x1b[K", []string{"x"}},
		"too long":                {"abcdefghijkl", []string{"abcdefghij", "kl"}},
		"wide":                    {"a提交", []string{"a|提交"}},
		"wide, too long":          {"abcdefghi提", []string{"abcdefghi", "提"}},
		"combining":               {"e\u0301x", []string{"e\u0301x"}},
		"styles go on":            {"\x1b[2ma\r\nb\x1b[0mc", []string{"a", "b|c"}},
		"CR LF at edge":           {"abcdefghij\r\nk", []string{"abcdefghij", "k"}},
	} {
		lines, err := readScreen(test.printed, 10)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(test.want, shown(lines)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestReadScreenRefuses(t *testing.T) {
	for _, printed := range []string{"\x1b", "\x1b[", "\x1b[1", "\x1b[2J", "\x1b]0;title\a", "\x1bm"} {
		if _, err := readScreen(printed, 10); err == nil {
			t.Errorf("%q: no error", printed)
		}
	}
}

func TestSVG(t *testing.T) {
	lines, err := readScreen("\x1b[32m$\x1b[0m a<b   提交 \"&\"", 80)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := svg("t", "d", 80, lines)
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(picture), "~/project</text>\n")
	const want = `<text class="s32" x="18" y="48" textLength="8.4">$</text>
<text x="34.8" y="48" textLength="25.2">a&lt;b</text>
<text class="wide" x="85.2" y="48" textLength="33.6">提交</text>
<text x="127.2" y="48" textLength="25.2">"&amp;"</text>
</svg>
`
	if diff := cmp.Diff(want, body); diff != "" {
		t.Error(diff)
	}
	lines, _ = readScreen("\x1b[5mblinking\x1b[0m", 80)
	if _, err := svg("t", "d", 80, lines); err == nil {
		t.Error("an unknown style is accepted")
	}
}

func TestSteady(t *testing.T) {
	s := scratch{home: "/tmp/0/home"}
	for _, test := range []struct {
		stages []string
		timed  bool
		want   string
	}{
		{[]string{"in /tmp/0/home/project"}, false, "in ~/project"},
		{[]string{"\x1b[2m01:02:03\x1b[0m a 04:05:06", "07:08:09"}, false, "\x1b[2m14:26:48\x1b[0m a 14:26:4814:26:57"},
		{[]string{"  10000 ms"}, false, "  10000 ms"},
		{[]string{"  10000 ms  x\n      7 ms, in 1234 ms, in 12.3 s, in 5 ms"}, true, "     41 ms  x\n     38 ms, in 44 ms, in 0.1 s, in 40 ms"},
	} {
		if diff := cmp.Diff(test.want, s.steady(test.stages, test.timed)); diff != "" {
			t.Errorf("%q: %s", test.stages, diff)
		}
	}
}
