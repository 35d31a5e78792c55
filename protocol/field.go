package protocol

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// Field returns the values of a field of the event as hooks read it: strings
// decoded, anything else as the JSON text that a pattern is searched in (D18).
// Dots in path descend into objects. All values of a repeated key count. A field
// has no values if it is absent or null, or if the runner added it without a
// value of the caller.
//
// undecided is not "" if a value, or whether there is one, cannot be decided;
// the values are then incomplete.
func (e *Event) Field(path string) (values []string, undecided string) {
	if !e.decodable {
		return nil, "the event cannot be decoded"
	}
	r := fieldReader{}
	for _, f := range e.replaced {
		if !f.added || len(f.value) > len(`""`) {
			r.find(f.key, f.value, path)
		}
	}
	_ = e.each(func(key, value []byte) bool {
		switch f := e.replacement(key); {
		case f == nil:
			r.find(string(rawjson.KeyName(key)), value, path)
		case f.added && rawjson.KindOf(value) != rawjson.Null && path == f.key:
			// Hooks read another value, because the caller's was not usable.
			_, isText := rawjson.Text(value)
			r.unknown = r.unknown || !isText || !rawjson.Exact(value)
		}
		return true
	})
	inInput := path == "tool_input" || strings.HasPrefix(path, "tool_input.")
	switch {
	case r.unknown:
		return r.values, "the event's " + path + " cannot be decoded"
	case r.absent && len(r.values) > 0:
		return r.values, "the event repeats " + path
	case inInput:
		return r.values, cmp.Or(e.undecided, e.unclear)
	}
	return r.values, e.unclear
}

// fieldReader collects the values of one field.
type fieldReader struct {
	values  []string
	unknown bool // a value cannot be decoded
	absent  bool // an object on the path lacks the field, or it is null
}

// find adds the values at path if path begins with key.
func (r *fieldReader) find(key string, value []byte, path string) {
	if key == path {
		r.add(value)
		return
	}
	rest, ok := strings.CutPrefix(path, key+".")
	if !ok {
		return
	}
	before := len(r.values)
	if rawjson.KindOf(value) == rawjson.Object {
		malformed := rawjson.Each(value, func(inner, element []byte) bool {
			name := rawjson.KeyName(inner)
			r.unknown = r.unknown || name == nil || !rawjson.Exact(inner)
			r.find(string(name), element, rest)
			return true
		})
		r.unknown = r.unknown || malformed != nil
	}
	r.absent = r.absent || len(r.values) == before
}

func (r *fieldReader) add(value []byte) {
	r.unknown = r.unknown || !rawjson.Exact(value)
	switch rawjson.KindOf(value) {
	case rawjson.Null:
		r.absent = true
	case rawjson.String:
		s, ok := rawjson.Text(value)
		if !ok {
			s, r.unknown = string(value), true
		}
		r.values = append(r.values, s)
	default: // the JSON text that a pattern is searched in
		in := inputReader{}
		known := len(value) <= maxRaw && in.read(value)
		r.values, r.unknown = append(r.values, string(in.text)), r.unknown || !known
	}
}

// WithPrompt returns the event with the prompt replaced (D47).
func (e *Event) WithPrompt(prompt string) *Event {
	return e.WithField("prompt", rawjson.AppendQuoted(nil, bytes.ToValidUTF8([]byte(prompt), []byte("\ufffd"))))
}
