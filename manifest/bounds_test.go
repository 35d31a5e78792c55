package manifest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

// hostile are texts that once took seconds each, and that a project could
// contain a thousand times.
func hostile() map[string]string {
	numbered := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	return map[string]string{
		"indented fences":  "---\n" + strings.Repeat(" ---\n", 200_000),
		"bad lines":        "---\n" + strings.Repeat("x\n", 32_000) + "---\n",
		"unknown keys":     "---\nname: x\n" + numbered("k%d:\n", 4990) + "---\n",
		"duplicate keys":   "---\nname: x\n" + strings.Repeat("a:\n", 4990) + "---\n",
		"keys on one line": "---\nmetadata: {ä: 1, " + numbered("a%d: 1,", 4900) + "b: 1}\n---\n",
		"aliases":          "---\nä: &a 1\nb: [" + strings.Repeat("*a,", 9000) + "]\n---\n",
		"not YAML":         "---\nname: x\n" + strings.Repeat("a: b: c\n", 8000) + "---\n",
		"brackets":         "---\nname: " + strings.Repeat("[", 60_000) + "\n---\n",
		"one line":         "---\nname: " + strings.Repeat("x", 1<<20),
	}
}

// TestParseHostile checks that reporting a file's problems takes about as long
// as reading it, and that their number is limited.
func TestParseHostile(t *testing.T) {
	for name, text := range hostile() {
		began := time.Now()
		_, diagnostics := Parse([]byte(text), "x")
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
		fatal := false
		for _, d := range diagnostics {
			fatal = fatal || d.Fatal()
		}
		if n := len(diagnostics); n == 0 || n > maxProblems+2 || !fatal {
			t.Errorf("%s: %d diagnostics, fatal %v", name, n, fatal)
		}
		if n := len(diagnostics); n > maxProblems && !strings.Contains(diagnostics[n-1].Message, "more problems") {
			t.Errorf("%s: no diagnostic reports omitted problems: %v", name, diagnostics[n-1])
		}
	}
}

// BenchmarkParseHostile measures the cost of each such file in a run.
func BenchmarkParseHostile(b *testing.B) {
	for name, text := range hostile() {
		b.Run(name, func(b *testing.B) {
			source := []byte(text)[:min(len(text), Enough)]
			for b.Loop() {
				Parse(source, "x")
			}
		})
	}
}

// TestLeftOutKeepsFatal checks that other problems never replace a fatal one.
func TestLeftOutKeepsFatal(t *testing.T) {
	text := "---\nname: x\ndescription: d\ntrigger: pre-tool-call\n"
	for i := range 2 * maxProblems {
		text += fmt.Sprintf("key%d: 1\n", i)
	}
	for late, want := range map[string]bool{"": false, "matcher: perhaps\n": true} {
		_, diagnostics := Parse([]byte(text+late+"---\n"), "x")
		fatal := false
		for _, d := range diagnostics {
			fatal = fatal || d.Fatal()
		}
		if fatal != want || len(diagnostics) > maxProblems+2 {
			t.Errorf("%q: fatal %v, %d diagnostics", late, fatal, len(diagnostics))
		}
	}
	if text := strings.Repeat("x", spec.MaxFrontMatter); Enough <= len(text) {
		t.Error("Enough is less than the limit")
	}
}
