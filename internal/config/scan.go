package config

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

// maxNesting is the maximum nesting of keys and values. The decoder's time grows with the square
// of the number of a key's parts, and its stack with nested brackets.
const maxNesting = 16

// outline contains the positions of the keys and values of a TOML text, which the decoder does
// not provide for arrays of tables. Both maps contain byte offsets by path: keys and array
// indices, joined.
type outline struct {
	text         string
	at           int // the end of the last located token
	keys, values map[string]int
	tables       map[string]int // number of elements of each array of tables
	problem      string         // why the text cannot be decoded; "" if the syntax is valid
	problemAt    int
	lines        []int // offset of each line
}

func scan(text string) *outline {
	o := &outline{text: text, keys: map[string]int{}, values: map[string]int{}, tables: map[string]int{}, lines: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			o.lines = append(o.lines, i+1)
		}
	}
	var p unstable.Parser
	source := []byte(text)
	p.Reset(source)
	table := ""
	for o.problem == "" && p.NextExpression() {
		if e := p.Expression(); e.Kind == unstable.KeyValue {
			o.pair(table, e, 1)
		} else {
			table = o.header(e)
		}
	}
	var bad *unstable.ParserError
	if errors.As(p.Error(), &bad) {
		o.problem, o.problemAt = bad.Message, cap(source)-cap(bad.Highlight)
	}
	return o
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "\x00" + key
}

// place returns the line and the column, in characters, of a byte offset.
func (o *outline) place(offset int) (line, column int) {
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

// tooDeep stops the scan if nesting exceeds the limit.
func (o *outline) tooDeep(depth, at int) bool {
	if depth > maxNesting {
		o.problem, o.problemAt = "nested more than "+strconv.Itoa(maxNesting)+" deep", at
	}
	return depth > maxNesting
}

// header locates `[key]` or `[[key]]` and returns the path of its table.
func (o *outline) header(e *unstable.Node) (path string) {
	parts, start := o.key(e)
	for i, part := range parts {
		path = join(path, part)
		o.note(path, start)
		if e.Kind == unstable.ArrayTable && i == len(parts)-1 {
			o.tables[path]++
		}
		if n := o.tables[path]; n > 0 {
			path = join(path, strconv.Itoa(n-1))
			o.note(path, start)
		}
	}
	return path
}

// note records the position of a key as that of its value, too.
func (o *outline) note(path string, offset int) {
	if _, known := o.keys[path]; !known {
		o.keys[path], o.values[path] = offset, offset
	}
}

// key returns the parts of an expression's key, and its offset.
func (o *outline) key(e *unstable.Node) (parts []string, start int) {
	for it := e.Key(); it.Next(); {
		n := it.Node()
		if len(parts) == 0 {
			start = int(n.Raw.Offset)
		}
		o.at = int(n.Raw.Offset + n.Raw.Length)
		if parts = append(parts, string(n.Data)); o.tooDeep(len(parts), o.at) {
			return nil, start
		}
	}
	return parts, start
}

// pair locates `key = value`.
func (o *outline) pair(table string, e *unstable.Node, depth int) {
	parts, start := o.key(e)
	path := table
	for _, part := range parts {
		path = join(path, part)
		o.note(path, start)
	}
	if parts != nil {
		o.value(path, e.Value(), depth)
	}
}

func (o *outline) value(path string, v *unstable.Node, depth int) {
	at := int(v.Raw.Offset)
	if v.Kind == unstable.Array { // the parser does not locate them
		at = o.at + max(strings.IndexByte(o.text[o.at:], '['), 0)
		o.at = at + 1
	} else {
		o.at = at + int(v.Raw.Length)
	}
	if o.tooDeep(depth, at) {
		return
	}
	o.values[path] = at
	n := 0
	for it := v.Children(); it.Next() && o.problem == ""; n++ {
		if child := it.Node(); v.Kind == unstable.InlineTable {
			o.pair(path, child, depth+1)
		} else {
			element := join(path, strconv.Itoa(n))
			o.value(element, child, depth+1)
			o.keys[element] = o.values[element]
		}
	}
}
