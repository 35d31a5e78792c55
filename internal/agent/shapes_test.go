package agent_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// TestShapes compares the meaning of published hooks' answers with their effect
// in their own agent (D61).
func TestShapes(t *testing.T) {
	text, err := os.ReadFile("testdata/shapes.tsv")
	if err != nil {
		t.Fatal(err)
	}
	unescape := strings.NewReplacer(`\n`, "\n")
	n := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 7 {
			t.Fatalf("%q has %d fields", line, len(f))
		}
		for i := range f[3:5] {
			if f[3+i] == "-" {
				f[3+i] = ""
			}
		}
		status, err := strconv.Atoi(f[2])
		a := agent.Find(f[0])
		if err != nil || a == nil || a.Event(f[1]) == nil {
			t.Fatalf("%q: unknown agent, event or status", line)
		}
		n++
		exit := protocol.Exit{Status: status, Stdout: []byte(unescape.Replace(f[3])), Stderr: []byte(unescape.Replace(f[4]))}
		answer, _, err := a.Judge(a.Event(f[1]), "h", exit, true)
		if got := describe(answer, err); got != f[5] && !(f[5] == "none" && f[0] == "cursor" && got == "allow") {
			t.Errorf("%s %s status %d stdout %q stderr %q: %s, want %s (the agent: %s)", f[0], f[1], status, f[3], f[4], got, f[5], f[6])
		}
	}
	if n < 40 {
		t.Errorf("%d shapes; at least 40 are wanted", n)
	}
}
