package main

import (
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/tools/svg"
	"github.com/google/go-cmp/cmp"
)

// shown formats lines with "|" between cells of different styles.
func shown(lines []svg.Line) []string {
	var all []string
	for _, l := range lines {
		var b strings.Builder
		for i, c := range l {
			if i > 0 && (l[i-1].Style != c.Style || l[i-1].Wide != c.Wide) {
				b.WriteString("|")
			}
			b.WriteString(c.Text)
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
		if diff := cmp.Diff(test.want, s.steady(test.stages, command{timed: test.timed})); diff != "" {
			t.Errorf("%q: %s", test.stages, diff)
		}
	}
}
