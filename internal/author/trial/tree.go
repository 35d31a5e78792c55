package trial

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// node is a JSON value that preserves details lost in encoding/json's maps: the order of keys,
// repeated keys, and the form of numbers and escapes.
type node struct {
	open    byte   // '{' or '[' or 0
	raw     []byte // the source of a scalar; nil after its text was changed
	text    string // of a string, decoded
	members []member
}

type member struct {
	raw   []byte // the source of the key; nil after it was changed
	key   string
	value *node
}

// maxNesting is the maximum nesting of a value. Each level takes another pass over its text.
const maxNesting = 100

var (
	errNotJSON = errors.New("it is not JSON")
	errNesting = errors.New("it is nested too deep")
)

func (n *node) setText(text string) { n.raw, n.text = nil, text }

// parseTree reads one JSON value.
func parseTree(text []byte) (*node, error) {
	if !rawjson.Valid(text) {
		return nil, errNotJSON
	}
	n := parseNode(bytes.TrimSpace(text), 0)
	if n == nil {
		return nil, errNesting
	}
	return n, nil
}

// parseNode reads a valid value; nil if it is nested too deep.
func parseNode(value []byte, depth int) *node {
	kind := rawjson.KindOf(value)
	switch {
	case depth > maxNesting:
		return nil
	case kind == rawjson.String:
		return &node{raw: validSource(value), text: decode(value)}
	case kind != rawjson.Object && kind != rawjson.Array:
		return &node{raw: value}
	}
	n := &node{open: value[0]}
	_ = rawjson.Each(value, func(key, element []byte) bool { // it is valid
		m := member{value: parseNode(element, depth+1)}
		if key != nil {
			m.raw, m.key = validSource(key), decode(key)
		}
		n.members = append(n.members, m)
		return m.value != nil
	})
	if last := len(n.members) - 1; last >= 0 && n.members[last].value == nil {
		return nil
	}
	return n
}

// validSource returns the source of a string, or nil if it is not valid UTF-8.
func validSource(raw []byte) []byte {
	if !utf8.Valid(raw) {
		return nil
	}
	return raw
}

// decode returns the text of a JSON string; invalid UTF-8 becomes U+FFFD.
func decode(raw []byte) string { return rawjson.ToValid(string(rawjson.Unquote(raw))) }

// encode encodes the value with spaces only after colons and commas, in the form that hooks
// read.
func (n *node) encode() []byte { return n.appendTo(nil) }

func (n *node) appendTo(b []byte) []byte {
	switch {
	case n.open == 0 && n.raw != nil:
		return append(b, n.raw...)
	case n.open == 0:
		return rawjson.AppendText(b, n.text)
	}
	b = append(b, n.open)
	for i, m := range n.members {
		if i > 0 {
			b = append(b, ", "...)
		}
		if n.open == '{' {
			if m.raw != nil {
				b = append(b, m.raw...)
			} else {
				b = rawjson.AppendText(b, m.key)
			}
			b = append(b, ": "...)
		}
		b = m.value.appendTo(b)
	}
	return append(b, n.open+2) // '{'+2 is '}', '['+2 is ']'
}
