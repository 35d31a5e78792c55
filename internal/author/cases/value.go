package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// kind is the type of a JSON value.
type kind byte

const (
	null    kind = '0'
	boolean kind = 'b'
	number  kind = 'n'
	text    kind = 's'
	array   kind = '['
	object  kind = '{'
)

// String returns the kind's name for messages.
func (k kind) String() string {
	return map[kind]string{
		null: "null", boolean: "true or false", number: "a number", text: "a string", array: "a list", object: "a mapping",
	}[k]
}

// kindOf returns the kind of a node's value.
func kindOf(n *tree.Node) kind {
	switch n.Tag {
	case tree.Bool:
		return boolean
	case tree.Int, tree.Float:
		return number
	case tree.String:
		return text
	case tree.List:
		return array
	case tree.Mapping:
		return object
	}
	return null
}

// value is one JSON value, read from JSON or YAML.
type value struct {
	kind    kind
	token   string // of a scalar, in JSON; strings with their quotes
	entries []entry
	items   []*value
	at      int // in bytes of the source
}

// entry is one key of an object.
type entry struct {
	key   string
	at    int // of the key
	value *value
}

// maxDepth is the maximum depth of nested values, maxValues the maximum number of values in a
// file.
const (
	maxDepth  = 200
	maxValues = 100_000
)

const tooMuch = "the file expands to more than 100000 values or 200 levels; shorten it"

// reader makes values of the nodes of a file.
type reader struct {
	source *source
	base   int                          // the offset of the document in the file
	left   int                          // values still allowed; below 0: too many
	scalar func(v *value, n *tree.Node) // sets the kind and token
}

// read returns the value of a document; nil if it is too large, which is reported.
func (r *reader) read(n *tree.Node) *value {
	v := r.value(n, 0)
	if r.left < 0 {
		r.source.reportFile(tooMuch)
		return nil
	}
	return v
}

func (r *reader) value(n *tree.Node, depth int) *value {
	v := &value{kind: kindOf(n), at: r.base + n.Start}
	r.left--
	if depth > maxDepth {
		r.left = -1
	}
	if v.kind != array && v.kind != object {
		r.scalar(v, n)
		return v
	}
	seen := map[string]bool{}
	for _, c := range n.Children {
		if r.left < 0 {
			break
		}
		inner, at := r.value(c, depth+1), r.base+c.Begin
		switch {
		case v.kind == array:
			v.items = append(v.items, inner)
		case seen[c.Key]:
			r.source.report(badKey, at, fmt.Sprintf("key %q appears twice; keep one of them", c.Key))
		default:
			seen[c.Key] = true
			v.entries = append(v.entries, entry{key: c.Key, at: at, value: inner})
		}
	}
	return v
}

// text returns a string's characters, and any other scalar's token.
func (v *value) text() string {
	var s string
	if v.kind == text && json.Unmarshal([]byte(v.token), &s) == nil {
		return s
	}
	return v.token
}

// string returns a string's characters, and "" for any other value.
func (v *value) string() string {
	if v.kind != text {
		return ""
	}
	return v.text()
}

// find returns the value of a key, or nil.
func (v *value) find(key string) *value {
	if v == nil {
		return nil
	}
	for i := range v.entries {
		if v.entries[i].key == key {
			return v.entries[i].value
		}
	}
	return nil
}

// set replaces the value of a key, or adds the key at the end.
func (v *value) set(key string, to *value) {
	for i := range v.entries {
		if v.entries[i].key == key {
			v.entries[i].value = to
			return
		}
	}
	v.entries = append(v.entries, entry{key: key, value: to})
}

// JSON encodes the value on one line, in the form in which hooks read events: with a space
// after each colon and comma.
func (v *value) JSON() []byte { return v.append(nil) }

func (v *value) append(b []byte) []byte {
	if v.kind != object && v.kind != array {
		return append(b, v.token...)
	}
	var parts [][]byte
	for _, e := range v.entries {
		parts = append(parts, e.value.append([]byte(tree.JSON(e.key)+": ")))
	}
	for _, item := range v.items {
		parts = append(parts, item.JSON())
	}
	b = append(append(b, byte(v.kind)), bytes.Join(parts, []byte(", "))...)
	return append(b, rawjson.Closing(byte(v.kind)))
}

func stringValue(s string) *value { return &value{kind: text, token: tree.JSON(s)} }

// merge applies an RFC 7396 patch and returns the result. The order of keys is kept; new keys
// come last. Neither v, which may be nil, nor patch is changed.
func merge(v, patch *value) *value {
	if patch.kind != object {
		return patch
	}
	merged := &value{kind: object}
	if v != nil && v.kind == object {
		merged.entries = slices.Clone(v.entries)
	}
	for _, e := range patch.entries {
		if e.value.kind == null {
			merged.entries = slices.DeleteFunc(merged.entries, func(old entry) bool { return old.key == e.key })
			continue
		}
		merged.set(e.key, merge(merged.find(e.key), e.value))
	}
	return merged
}

// replaced returns v with the placeholders in its strings, except in keys, replaced. pairs are
// old and new strings, as for strings.NewReplacer.
func (v *value) replaced(pairs []string) *value {
	escaped := slices.Clone(pairs)
	for i := 1; i < len(escaped); i += 2 {
		quoted := tree.JSON(escaped[i])
		escaped[i] = quoted[1 : len(quoted)-1]
	}
	r := strings.NewReplacer(escaped...)
	return v.mapped(func(s *value) string { return r.Replace(s.token) })
}

// mapped returns v with each string in it, except keys, replaced by the token that token returns.
func (v *value) mapped(token func(*value) string) *value {
	changed := *v
	if v.kind == text {
		changed.token = token(v)
	}
	changed.entries, changed.items = slices.Clone(v.entries), slices.Clone(v.items)
	for i := range changed.entries {
		changed.entries[i].value = changed.entries[i].value.mapped(token)
	}
	for i := range changed.items {
		changed.items[i] = changed.items[i].mapped(token)
	}
	return &changed
}

// requoted returns the value with its strings as tree.JSON encodes them.
func (v *value) requoted() *value {
	return v.mapped(func(s *value) string { return tree.JSON(s.text()) })
}

// same reports whether v and o are equal as JSON: the order of keys and the encoding of strings
// and numbers do not matter.
func (v *value) same(o *value) bool {
	if v == nil || o == nil || v.kind != o.kind {
		return v == o
	}
	switch v.kind {
	case object:
		return len(v.entries) == len(o.entries) && !slices.ContainsFunc(v.entries, func(e entry) bool { return !e.value.same(o.find(e.key)) })
	case array:
		return slices.EqualFunc(v.items, o.items, (*value).same)
	case number:
		x, errX := strconv.ParseFloat(v.token, 64)
		y, errY := strconv.ParseFloat(o.token, 64)
		// A float64 may not represent larger ones exactly.
		return v.token == o.token || errX == nil && errY == nil && x == y && math.Abs(x) <= 1<<53
	}
	return v.text() == o.text()
}
