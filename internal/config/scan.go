package config

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxNesting is the maximum nesting of keys and values. The parser's time grows with the square
// of the number of a key's parts, and its stack with nested brackets.
const maxNesting = 16

// outline contains the positions of the keys and values of a TOML text, which the parser does
// not provide for arrays of tables. Both maps contain byte offsets by path: keys and array
// indices, joined.
//
// It is exact for any text that the parser accepts. For other texts it is exact up to the first
// error, where the parser stops.
type outline struct {
	text         string
	at           int
	keys, values map[string]int
	tables       map[string]int // number of elements of each array of tables
	deep         int            // offset at which nesting exceeds the limit, or -1
	lines        []int          // offset of each line
}

func scan(text string) *outline {
	o := &outline{text: text, keys: map[string]int{}, values: map[string]int{}, tables: map[string]int{}, deep: -1, lines: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			o.lines = append(o.lines, i+1)
		}
	}
	table := ""
	for o.skip(" \t\r\n") {
		before := o.at
		if o.text[o.at] == '[' {
			table = o.header()
		} else {
			o.pair(table, 1)
		}
		if o.at == before {
			o.at++
		}
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

// skip skips white space and comments. It returns false at the end.
func (o *outline) skip(blanks string) bool {
	for o.at < len(o.text) {
		switch c := o.text[o.at]; {
		case strings.IndexByte(blanks, c) >= 0:
			o.at++
		case c == '#' && strings.Contains(blanks, "\n"):
			o.until("\n")
		default:
			return true
		}
	}
	return false
}

// until moves to the next of the given characters, or to the end.
func (o *outline) until(stops string) {
	if n := strings.IndexAny(o.text[o.at:], stops); n >= 0 {
		o.at += n
		return
	}
	o.at = len(o.text)
}

func (o *outline) take(c byte) bool {
	if o.at < len(o.text) && o.text[o.at] == c {
		o.at++
		return true
	}
	return false
}

// tooDeep stops the scan if nesting exceeds the limit.
func (o *outline) tooDeep(depth int) bool {
	if depth > maxNesting {
		o.deep, o.at = o.at, len(o.text)
	}
	return depth > maxNesting
}

// header scans `[key]` or `[[key]]` and returns the path of its table.
func (o *outline) header() (path string) {
	o.at++
	array := o.take('[')
	o.skip(" \t")
	start := o.at
	parts := o.key()
	for i, part := range parts {
		path = join(path, part)
		o.note(path, start)
		if array && i == len(parts)-1 {
			o.tables[path]++
		}
		if n := o.tables[path]; n > 0 {
			path = join(path, strconv.Itoa(n-1))
			o.note(path, start)
		}
	}
	for o.take(']') {
	}
	return path
}

// note records the position of a key as that of its value, too.
func (o *outline) note(path string, offset int) {
	if _, known := o.keys[path]; !known {
		o.keys[path], o.values[path] = offset, offset
	}
}

// key scans a key, with dots between its parts.
func (o *outline) key() (parts []string) {
	for o.skip(" \t") {
		start := o.at
		if c := o.text[o.at]; c == '"' || c == '\'' {
			o.str()
			parts = append(parts, strings.Trim(o.text[start:o.at], string(c)))
		} else {
			for o.at < len(o.text) && bare(o.text[o.at]) {
				o.at++
			}
			parts = append(parts, o.text[start:o.at])
		}
		if o.tooDeep(len(parts)) || !o.skip(" \t") || !o.take('.') {
			return parts
		}
	}
	return parts
}

func bare(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

// pair scans `key = value`.
func (o *outline) pair(table string, depth int) {
	start, path := o.at, table
	for _, part := range o.key() {
		path = join(path, part)
		o.note(path, start)
	}
	if o.skip(" \t") && o.take('=') && o.skip(" \t") {
		o.value(path, depth)
	}
}

func (o *outline) value(path string, depth int) {
	if o.tooDeep(depth) {
		return
	}
	o.values[path] = o.at
	switch o.text[o.at] {
	case '"', '\'':
		o.str()
	case '[':
		n := 0
		o.list(']', func() {
			element := join(path, strconv.Itoa(n))
			o.note(element, o.at)
			o.value(element, depth+1)
			n++
		})
	case '{':
		o.list('}', func() { o.pair(path, depth+1) })
	default:
		o.until(",]}#\n")
	}
}

// list scans elements between brackets, separated by commas.
func (o *outline) list(end byte, element func()) {
	o.at++
	for o.skip(" \t\r\n") && !o.take(end) {
		before := o.at
		element()
		if o.skip(" \t\r\n") {
			o.take(',')
		}
		if o.at == before {
			o.at++
		}
	}
}

// str scans a string of any of the four kinds.
func (o *outline) str() {
	quote := o.text[o.at : o.at+1]
	escapes := quote == `"`
	if long := strings.Repeat(quote, 3); strings.HasPrefix(o.text[o.at:], long) {
		o.at += 3
		o.close(long, escapes)
		for range 2 { // quotes may come just before the end
			o.take(quote[0])
		}
		return
	}
	o.at++
	o.close(quote, escapes)
}

// close moves past the end of a string. A single-line string ends with its line.
func (o *outline) close(end string, escapes bool) {
	for o.at < len(o.text) {
		switch c := o.text[o.at]; {
		case strings.HasPrefix(o.text[o.at:], end):
			o.at += len(end)
			return
		case c == '\\' && escapes:
			o.at = min(o.at+2, len(o.text))
		case c == '\n' && len(end) == 1:
			return
		default:
			o.at++
		}
	}
}
