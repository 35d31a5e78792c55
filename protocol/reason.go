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

// causeLine returns the line of stderr that names the cause of a failure: the
// first, or the last of a Python traceback.
func causeLine(s string) (line string, python bool) {
	line = firstLine(s)
	if !strings.HasPrefix(line, "Traceback ") && !strings.HasPrefix(line, `File "`) {
		return line, false
	}
	s = strings.TrimSpace(s)
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:]), true
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
