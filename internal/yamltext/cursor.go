package yamltext

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Cursor turns byte offsets in one text into lines and columns. Ascending
// offsets take one pass over the text together; an offset before the last one
// takes a new pass.
type Cursor struct {
	text   []byte
	offset int    // the last one
	lines  int    // newlines before it
	begin  int    // of its line
	column int    // characters between begin and it
	line   string // its line, once asked for
	known  bool   // line is set
}

// NewCursor returns a cursor on text, which has no byte-order mark.
func NewCursor(text []byte) *Cursor { return &Cursor{text: text} }

// Position returns the line and, in characters, the column of an offset, both
// from 1, and the line itself without its end.
func (c *Cursor) Position(offset int) (line, column int, text string) {
	offset = min(max(offset, 0), len(c.text))
	if offset < c.offset {
		*c = Cursor{text: c.text}
	}
	passed := c.text[c.offset:offset]
	if last := bytes.LastIndexByte(passed, '\n'); last >= 0 {
		c.lines += bytes.Count(passed, []byte("\n"))
		c.begin, c.column, c.known = c.offset+last+1, 0, false
		passed = c.text[c.begin:offset]
	}
	c.offset = offset
	c.column += utf8.RuneCount(passed)
	if !c.known {
		whole, _, _ := bytes.Cut(c.text[c.begin:], []byte("\n"))
		c.line, c.known = strings.TrimSuffix(string(whole), "\r"), true
	}
	return c.lines + 1, c.column + 1, c.line
}
