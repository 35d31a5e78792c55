package discovery

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/atomicfile"
)

// answering are the beginnings of the lines in a script that gives the same answer
// to every event.
var answering = [...]string{"set ", "cat >/dev/null", "cat > /dev/null", "echo ", "printf ", "exit ", "import sys", "import json", "print(", "sys.exit(", "sys.stderr.write(", "sys.stdin.read()"}

// blocking are the texts of which such a script has one.
var blocking = [...]string{"exit 2", "exit(2)", `"deny"`, `"ask"`, `'deny'`, `'ask'`}

// OnlyAnswers reports whether the hook's script certainly answers every event in
// the same way, so that metadata.answer could take its place (D77). It reads the
// script and starts no process.
func (h *Hook) OnlyAnswers() bool {
	s, err := h.script()
	if err != nil || h.Answer != nil || h.Async || h.Protocol != "" {
		return false
	}
	const limit = 8 << 10
	source, _, err := atomicfile.Read(s.path, limit)
	if err != nil || len(source) >= limit {
		return false
	}
	blocks := false
	for line := range strings.Lines(string(source)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		known := slices.ContainsFunc(answering[:], func(begin string) bool { return strings.HasPrefix(line, begin) })
		if !known || strings.ContainsAny(line, "$`;|{") && !strings.Contains(line, `{"decision"`) {
			return false
		}
		blocks = blocks || slices.ContainsFunc(blocking[:], func(text string) bool { return strings.Contains(line, text) })
	}
	return blocks
}
