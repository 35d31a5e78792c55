package protocol

import (
	"bytes"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// Field returns the values of a field of the event as hooks read it: strings
// decoded, anything else as JSON text. Dots in path descend into objects. All
// values of a repeated key count. An absent or null field has no values.
// undecided is not "" if the event cannot be decoded.
func (e *Event) Field(path string) (values []string, undecided string) {
	add := func(value []byte) {
		if rawjson.KindOf(value) == rawjson.Null {
			return
		}
		if s, ok := rawjson.Text(value); ok {
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
	_ = rawjson.Each(e.raw, func(key, value []byte) bool {
		if !e.isReplaced(key) {
			findIn(string(rawjson.KeyName(key)), value, path, add)
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
	if !ok || rawjson.KindOf(value) != rawjson.Object {
		return
	}
	_ = rawjson.Each(value, func(inner, element []byte) bool {
		findIn(string(rawjson.KeyName(inner)), element, rest, add)
		return true
	})
}

// WithPrompt returns the event with the prompt replaced (D47).
func (e *Event) WithPrompt(prompt string) *Event {
	return e.WithField("prompt", rawjson.AppendQuoted(nil, bytes.ToValidUTF8([]byte(prompt), []byte("\ufffd"))))
}
