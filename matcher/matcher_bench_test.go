package matcher

import (
	"strings"
	"testing"
)

var benchmarked = []struct{ name, tool, pattern string }{
	{"tool", "Shell|Bash", ""},
	{"both", "Shell", `^\s*git\s+push\b`},
	{"long", "Shell|Bash|run_shell_command", `(?i)\b(?:rm\s+-[a-z]*[rf][a-z]*|mkfs(?:\.\w+)?|dd\s+if=\S+|git\s+push\s+(?:-f|--force)|chmod\s+-R\s+777)\b`},
}

func BenchmarkCompile(b *testing.B) {
	for _, c := range benchmarked {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Compile(c.tool, c.pattern); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMatch(b *testing.B) {
	text := "echo " + strings.Repeat("the quick brown fox ", 50)
	names := []string{"Bash", "Shell", "run_shell_command"}
	s := Subject{Own: names[:1], Names: names, Values: []string{text}, Text: `{"command": "` + text + `"}`}
	for _, c := range benchmarked {
		m, err := Compile(c.tool, c.pattern)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Match(s)
			}
		})
	}
}
