package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// node is a JSON value that preserves details lost in encoding/json's maps: the order of keys,
// repeated keys, and the spelling of numbers and escapes.
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

// maxNesting is the maximum nesting of a value.
const maxNesting = 1000

var (
	errNotJSON = errors.New("it is not JSON")
	errNesting = errors.New("it is nested too deep")
)

func (n *node) isString() bool { return n.open == 0 && (n.raw == nil || n.raw[0] == '"') }

// isNumber distinguishes a number from true, false and null.
func (n *node) isNumber() bool {
	return len(n.raw) > 0 && (n.raw[0] == '-' || n.raw[0] >= '0' && n.raw[0] <= '9')
}

func (n *node) setText(text string) { n.raw, n.text = nil, text }

// parseTree reads one JSON value.
func parseTree(text []byte) (*node, error) {
	if !json.Valid(text) {
		return nil, errNotJSON
	}
	p := treeParser{text: text}
	n := p.value(0)
	if p.deep {
		return nil, errNesting
	}
	return n, nil
}

// treeParser parses a text that is known to be valid JSON.
type treeParser struct {
	text []byte
	at   int
	deep bool
}

func (p *treeParser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *treeParser) value(depth int) *node {
	p.space()
	if p.deep = p.deep || depth > maxNesting; p.deep {
		return &node{}
	}
	switch c := p.text[p.at]; c {
	case '{', '[':
		return p.inside(c, depth)
	case '"':
		raw := p.str()
		return &node{raw: spelled(raw), text: decode(raw)}
	}
	from := p.at
	for p.at < len(p.text) && strings.IndexByte(",]} \t\r\n", p.text[p.at]) < 0 {
		p.at++
	}
	return &node{raw: p.text[from:p.at]}
}

func (p *treeParser) inside(open byte, depth int) *node {
	n := &node{open: open}
	p.at++
	for p.space(); !p.deep && p.text[p.at] != '}' && p.text[p.at] != ']'; p.space() {
		if p.text[p.at] == ',' {
			p.at++
			continue
		}
		var m member
		if open == '{' {
			raw := p.str()
			m.raw, m.key = spelled(raw), decode(raw)
			p.space()
			p.at++ // the colon
		}
		m.value = p.value(depth + 1)
		n.members = append(n.members, m)
	}
	p.at++
	return n
}

func (p *treeParser) str() []byte {
	from := p.at
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			p.at++
		}
	}
	p.at++
	return p.text[from:p.at]
}

// spelled returns the source of a string, or nil if it cannot be kept.
func spelled(raw []byte) []byte {
	if !utf8.Valid(raw) {
		return nil
	}
	return raw
}

// decode returns the text of a JSON string; invalid UTF-8 becomes U+FFFD.
func decode(raw []byte) (text string) {
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1 : len(raw)-1])
	}
	_ = json.Unmarshal(raw, &text) // it is valid
	return text
}

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
