package config

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

// maxNesting is the maximum nesting of keys and values. The decoder's time grows with the square
// of the number of a key's parts, and its stack with nested brackets.
const maxNesting = 16

// outline is a TOML text as a tree of values with their positions, which the decoder does not
// provide. It does not reject everything that TOML does, such as a repeated key.
type outline struct {
	text      string
	root      *node
	at        int    // the end of the last located token
	problem   string // why the text cannot be decoded; "" if the syntax is valid
	problemAt int
	lines     []int // offset of each line
}

// node is a value in a TOML text.
type node struct {
	key, at  int              // offsets of its key and of itself
	scalar   any              // string, bool, int64, float or time.Time; nil: a table or a list
	members  map[string]*node // of a table; otherwise nil
	elements []*node          // of a list
}

// float is a number as it was written.
type float string

// member returns the member of a table, which is created if it does not exist.
func (n *node) member(key string, offset int) *node {
	n.table()
	if n.members[key] == nil {
		n.members[key] = &node{key: offset, at: offset}
	}
	return n.members[key]
}

// table makes n a table.
func (n *node) table() *node {
	if n.members == nil {
		n.members = map[string]*node{}
	}
	return n
}

func scan(text string) *outline {
	o := &outline{text: text, root: (&node{}).table(), lines: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			o.lines = append(o.lines, i+1)
		}
	}
	var p unstable.Parser
	source := []byte(text)
	p.Reset(source)
	table := o.root
	for o.problem == "" && p.NextExpression() {
		if e := p.Expression(); e.Kind == unstable.KeyValue {
			o.pair(table, e, 1)
		} else {
			table = o.header(e)
		}
	}
	var bad *unstable.ParserError
	if errors.As(p.Error(), &bad) {
		o.problem, o.problemAt = bad.Message, int(p.Range(bad.Highlight).Offset)
	}
	return o
}

// position returns the line and the column, in characters, of a byte offset.
func (o *outline) position(offset int) (line, column int) {
	offset = min(max(offset, 0), len(o.text))
	line = o.lineOf(offset)
	return line, utf8.RuneCountInString(o.text[o.lines[line-1]:offset]) + 1
}

// lineOf returns the line of a byte offset.
func (o *outline) lineOf(offset int) int {
	after, _ := slices.BinarySearch(o.lines, offset+1)
	return after
}

// line returns the text of a line, counted from 1.
func (o *outline) line(number int) string {
	if number < 1 || number > len(o.lines) {
		return ""
	}
	line, _, _ := strings.Cut(o.text[o.lines[number-1]:], "\n")
	return strings.TrimRight(line, "\r")
}

// limit stops the scan if nesting exceeds the limit.
func (o *outline) limit(depth, at int) {
	if depth > maxNesting && o.problem == "" {
		o.problem, o.problemAt = "nested more than "+strconv.Itoa(maxNesting)+" deep", at
	}
}

// header returns the table of `[key]` or `[[key]]`.
func (o *outline) header(e *unstable.Node) *node {
	n := o.root
	parts, start := o.key(e)
	for i, part := range parts {
		n = n.member(part, start)
		if e.Kind == unstable.ArrayTable && i == len(parts)-1 {
			n.elements = append(n.elements, &node{key: start, at: start})
		}
		if last := len(n.elements) - 1; last >= 0 {
			n = n.elements[last]
		}
	}
	return n.table()
}

// key returns the parts of an expression's key, and its offset.
func (o *outline) key(e *unstable.Node) (parts []string, start int) {
	for it := e.Key(); it.Next(); {
		n := it.Node()
		if len(parts) == 0 {
			start = int(n.Raw.Offset)
		}
		o.at = int(n.Raw.Offset + n.Raw.Length)
		parts = append(parts, string(n.Data))
		o.limit(len(parts), o.at)
	}
	return parts, start
}

// pair reads `key = value`.
func (o *outline) pair(n *node, e *unstable.Node, depth int) {
	parts, start := o.key(e)
	for _, part := range parts {
		n = n.member(part, start)
	}
	o.value(n, e.Value(), depth)
}

func (o *outline) value(n *node, v *unstable.Node, depth int) {
	n.at = int(v.Raw.Offset)
	if v.Kind == unstable.Array { // the parser does not locate them
		n.at = o.at + max(strings.IndexByte(o.text[o.at:], '['), 0)
		o.at = n.at + 1
	} else {
		o.at = n.at + int(v.Raw.Length)
	}
	o.limit(depth, n.at)
	if n.members != nil { // the decoder accepts a list
		o.problem, o.problemAt = "a second value of a table", n.at
		return
	}
	switch v.Kind {
	case unstable.InlineTable:
		n.table()
		for it := v.Children(); it.Next() && o.problem == ""; {
			o.pair(n, it.Node(), depth+1)
		}
	case unstable.Array:
		for it := v.Children(); it.Next() && o.problem == ""; {
			element := &node{}
			o.value(element, it.Node(), depth+1)
			element.key = element.at
			n.elements = append(n.elements, element)
		}
	default:
		n.scalar = scalar(v)
	}
}

func scalar(v *unstable.Node) any {
	text := string(v.Data)
	switch v.Kind {
	case unstable.String:
		return text
	case unstable.Bool:
		return text == "true"
	case unstable.Integer:
		number, _ := strconv.ParseInt(text, 0, 64) // the decoder rejects others
		return number
	case unstable.Float:
		return float(text)
	}
	return time.Time{}
}
