package manifest

import (
	"bytes"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// triggerWithin is the number of bytes of a file that Trigger reads.
const triggerWithin = 2 << 10

const triggerKey = "trigger: "

// Trigger returns the event that Parse would return as the hook's trigger,
// without parsing the file (D74); "" if parsing is necessary. Package discovery
// uses it to skip the hooks of other events.
//
// It reads the lines up to the first line that begins with `trigger: EVENT`.
// Each line before it must be a comment, or belong to a key whose value cannot
// extend to that line: a quoted string or brackets must end on their own line.
// If the file is YAML, that line is therefore its first `trigger` key. If it is
// not, Parse searches the lines for the trigger and finds the same one.
func Trigger(file []byte) spec.EventType {
	s := source{bytes: file}
	start := s.mark()
	next := s.next(start)
	if !fence(file[start:next]) {
		return ""
	}
	rest := string(untilTrigger(file[next:max(next, min(len(file), triggerWithin))]))
	for place := noKey; rest != ""; {
		var line string
		line, rest = cutLine(rest)
		if !printable(line) {
			return ""
		}
		if value, ok := strings.CutPrefix(line, triggerKey); ok {
			return triggerEvent(value, rest)
		}
		var ok bool
		if place, ok = pass(line, place); !ok {
			return ""
		}
	}
	return ""
}

// untilTrigger returns text up to the line after the first trigger, including
// empty lines between the two. Nothing else affects the result.
func untilTrigger(text []byte) []byte {
	end := 0
	if !bytes.HasPrefix(text, []byte(triggerKey)) {
		if end = bytes.Index(text, []byte("\n"+triggerKey)) + 1; end == 0 {
			return nil
		}
	}
	for lines := 0; lines < 2 && end < len(text); {
		line := text[end:]
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line = line[:n+1]
		}
		if end += len(line); len(bytes.TrimRight(line, "\r\n")) > 0 {
			lines++
		}
	}
	return text[:end]
}

// triggerEvent reads the value of the trigger. The next line must be another
// key, a comment or the end, because other lines may continue the value.
func triggerEvent(value, rest string) spec.EventType {
	if value = strings.Trim(value, " "); isQuoted(value) {
		value = value[1 : len(value)-1]
	} else if at := strings.Index(value, " #"); at >= 0 {
		value = strings.TrimRight(value[:at], " ")
	}
	line := ""
	for line == "" && rest != "" {
		line, rest = cutLine(rest)
	}
	ends := line != "" && (letter(line[0]) || line[0] == '#' || fence([]byte(line)))
	if e := spec.EventType(value); ends && e.Valid() {
		return e
	}
	return ""
}

// contents states what the lines below a key belong to.
type contents int

const (
	noKey    contents = iota // no key yet
	toScalar                 // they continue a scalar, or are an error
	toNested                 // they are the key's value
)

// pass reports whether every value that begins on a line must end before the
// next key.
func pass(line string, p contents) (contents, bool) {
	switch {
	case line == "" || line[0] == '#':
		return p, true
	case line[0] == ' ' || isItem(line):
		return p, p == toScalar || p == toNested && endsNested(line)
	}
	key, value, ok := splitLine(line)
	if !ok || !isKey(key) || key == "trigger" {
		return p, false
	}
	if value == "" || value[0] == '#' {
		return toNested, true
	}
	return toScalar, endsBeforeKey(value)
}

// endsNested is pass for a line below a key without a value.
func endsNested(line string) bool {
	if !strings.ContainsAny(line, "\"'[{") {
		return true
	}
	line = strings.Trim(line, " ")
	if isItem(line) {
		return isClosed(strings.TrimLeft(line[2:], " "))
	}
	key, value, ok := splitLine(line)
	return ok && isKey(key) && (value == "" || endsBeforeKey(value))
}

// endsBeforeKey reports whether a value ends before the next key: plain text, a
// block scalar, or a value closed on its line.
func endsBeforeKey(value string) bool {
	c := value[0]
	return letter(c) || digit(c) || c >= 0x80 || strings.IndexByte(`|>\^(/$.#`, c) >= 0 || isClosed(strings.TrimRight(value, " "))
}

// isClosed reports whether text is one quoted string, or a list or mapping of
// plain words.
func isClosed(text string) bool {
	if isQuoted(text) {
		return true
	}
	brackets := strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") || strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}")
	return brackets && !strings.ContainsAny(text[1:len(text)-1], "\"'[]{}#|>&*!")
}

// isQuoted reports whether text is a quoted string without escapes.
func isQuoted(text string) bool {
	if len(text) < 2 || text[0] != '"' && text[0] != '\'' || text[len(text)-1] != text[0] {
		return false
	}
	inside := text[1 : len(text)-1]
	return strings.IndexByte(inside, text[0]) < 0 && strings.IndexByte(inside, '\\') < 0
}
