package protocol

import (
	"bytes"
	"strings"
)

// Field returns the values of a field of the event as hooks read it: strings
// decoded, anything else as JSON text. Dots in path descend into objects. All
// values of a repeated key count. An absent or null field has no values.
// undecided is not "" if the event cannot be decoded.
func (e *Event) Field(path string) (values []string, undecided string) {
	add := func(value []byte) {
		if kindOf(value) == kindNull {
			return
		}
		if s, ok := text(value); ok {
			values = append(values, s)
			return
		}
		values = append(values, string(value))
	}
	for _, f := range e.replaced {
		findIn(f.key, f.value, path, add)
	}
	if !e.decodable {
		return nil, "the event cannot be decoded"
	}
	_ = elements(e.raw, func(key, value []byte) bool {
		if !e.isReplaced(key) {
			findIn(string(keyName(key)), value, path, add)
		}
		return true
	})
	return values, ""
}

// findIn calls add for the values at path if path begins with key.
func findIn(key string, value []byte, path string, add func([]byte)) {
	if key == path {
		add(value)
		return
	}
	rest, ok := strings.CutPrefix(path, key+".")
	if !ok || kindOf(value) != kindObject {
		return
	}
	_ = elements(value, func(inner, element []byte) bool {
		findIn(string(keyName(inner)), element, rest, add)
		return true
	})
}

// WithPrompt returns the event with the prompt replaced (D47).
func (e *Event) WithPrompt(prompt string) *Event {
	return e.with("prompt", appendQuoted(nil, bytes.ToValidUTF8([]byte(prompt), []byte("\ufffd"))))
}
