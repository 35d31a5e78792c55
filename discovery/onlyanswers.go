package discovery

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// answering are the beginnings of the lines in a script that gives the same answer
// to every event.
var answering = [...]string{"set ", "cat >/dev/null", "cat > /dev/null", "echo ", "printf ", "exit ", "import sys", "import json", "print(", "sys.exit(", "sys.stderr.write(", "sys.stdin.read()"}

// blocking are the texts of which such a script has one.
var blocking = [...]string{"exit 2", "exit(2)", `"deny"`, `"ask"`, `'deny'`, `'ask'`}

// bare returns a line without its quoted parts.
func bare(line string) string {
	var b strings.Builder
	for line != "" {
		at := strings.IndexAny(line, `"'`)
		if at < 0 {
			break
		}
		b.WriteString(line[:at])
		_, line, _ = strings.Cut(line[at+1:], line[at:at+1])
	}
	return b.String() + line
}

// OnlyAnswers reports whether the hook's script certainly answers every event in
// the same way, so that metadata.answer could take its place (D77). It reads the
// script and starts no process.
func (h *Hook) OnlyAnswers() bool {
	s, err := h.script()
	if err != nil || h.Answer != nil || h.Async || h.Protocol != "" {
		return false
	}
	const limit = 8 << 10
	source, _, err := paths.Read(s.path, limit)
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
		if !known || strings.ContainsAny(line, "$`") || strings.ContainsAny(bare(line), ";|{") {
			return false
		}
		blocks = blocks || slices.ContainsFunc(blocking[:], func(text string) bool { return strings.Contains(line, text) })
	}
	return blocks
}
