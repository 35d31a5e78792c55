package protocol

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

// causeLine returns the line of stderr that names the cause of a failure: the last of a Python
// traceback; the one after the marker if JavaScript shows the position of an error; otherwise the
// first that is not a shell's trace (set -x), or the last of these. crash means that the script did
// not end by itself.
func causeLine(s string) (line string, crash bool) {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	first := strings.TrimSpace(lines[0])
	if strings.HasPrefix(first, "Traceback ") || strings.HasPrefix(first, `File "`) {
		return last, true
	}
	if marker := markerLine(lines); marker > 0 {
		for _, line := range lines[marker+1:] {
			if text := strings.TrimSpace(line); text != "" {
				return text, true
			}
		}
	}
	for _, line := range lines {
		if text := strings.TrimSpace(line); text != "" && !isTrace(text) {
			return text, false
		}
	}
	return last, false
}

// markerLine returns the index of the line that marks the place of an error below it (^), if the text
// begins with a position and a line of code; otherwise 0.
func markerLine(lines []string) int {
	const near = 6 // lines that may show code
	position := strings.TrimSpace(lines[0])
	digits := strings.TrimRight(position, "0123456789")
	number, _, code := strings.Cut(position, " | ") // as Bun shows code
	if (digits == position || !strings.HasSuffix(digits, ":")) && !(code && strings.Trim(number, "0123456789") == "") {
		return 0
	}
	for i, line := range lines[:min(len(lines), near)] {
		if marks := strings.TrimSpace(line); marks != "" && strings.Trim(marks, "^") == "" {
			return i
		}
	}
	return 0
}

// isTrace reports whether a shell prints the line before it runs a command: "+ ls", or "+./x.sh:3> ls"
// in zsh.
func isTrace(line string) bool {
	rest := strings.TrimLeft(line, "+")
	if rest == line {
		return false
	}
	word, _, _ := strings.Cut(rest, " ")
	return word == "" || strings.HasSuffix(word, ">") && strings.Contains(word, ":")
}

// Reason converts a hook's output to a reason for people and models: trimmed,
// valid UTF-8, and cut to its head and tail if it exceeds 8 KiB (D26).
func Reason(b []byte) string {
	s := strings.TrimFunc(rawjson.ToValid(string(b)), isBlank)
	if len(s) <= spec.MaxReason {
		return s
	}
	half := spec.MaxReason/2 - 32
	head := strings.ToValidUTF8(s[:half], "")
	tail := strings.ToValidUTF8(s[len(s)-half:], "")
	return fmt.Sprintf("%s\n… %d bytes left out …\n%s", head, len(s)-len(head)-len(tail), tail)
}

// isBlank reports whether r is invisible. A reason of only such characters
// counts as empty.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r == 0 || r == '\ufeff' }

// Complete reports whether stdout holds a complete answer, so that there is no
// need to wait for a process that still holds the pipe (D35). It is a value for
// exec.Command.Complete.
func Complete(stdout []byte) bool {
	b := trimAnswer(stdout)
	return len(b) > 1 && b[0] == '{' && b[len(b)-1] == '}' && json.Valid(b)
}
