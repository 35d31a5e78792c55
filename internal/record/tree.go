package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// node is a JSON value that keeps what encoding/json's maps lose: the order
// of keys, repeated keys, numbers and escapes as they were spelled.
type node struct {
	open    byte   // '{' or '[' or 0
	raw     []byte // a scalar as it was spelled; nil once its text was changed
	text    string // of a string, decoded
	members []member
}

type member struct {
	raw   []byte // the key as it was spelled; nil once it was changed
	key   string
	value *node
}

// maxNesting bounds how deep a value is looked at.
const maxNesting = 1000

var (
	errNotJSON = errors.New("it is not JSON")
	errNesting = errors.New("it is nested too deep")
)

func (n *node) isString() bool { return n.open == 0 && (n.raw == nil || n.raw[0] == '"') }

// isNumber tells a number from true, false and null.
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

// treeParser reads a text that is known to be JSON.
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

// spelled is a string as it was spelled, nil if it cannot stay so.
func spelled(raw []byte) []byte {
	if !utf8.Valid(raw) {
		return nil
	}
	return raw
}

// decode returns the text of a JSON string; bytes that are no UTF-8 become
// U+FFFD.
func decode(raw []byte) (text string) {
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1 : len(raw)-1])
	}
	_ = json.Unmarshal(raw, &text) // it is valid
	return text
}

// encode spells the value without blanks but those behind colons and commas,
// as a hook reads it.
func (n *node) encode() []byte { return n.appendTo(nil) }

func (n *node) appendTo(b []byte) []byte {
	switch {
	case n.open == 0 && n.raw != nil:
		return append(b, n.raw...)
	case n.open == 0:
		return appendString(b, n.text)
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
				b = appendString(b, m.key)
			}
			b = append(b, ": "...)
		}
		b = m.value.appendTo(b)
	}
	return append(b, n.open+2) // '{'+2 is '}', '['+2 is ']'
}

func appendString(b []byte, text string) []byte {
	var quoted bytes.Buffer
	enc := json.NewEncoder(&quoted)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string always can be
	return append(b, bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))...)
}
