package yamltext

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Cursor converts byte offsets in one text to lines and columns. Ascending offsets together
// take one pass over the text; an offset before the last one starts a new pass.
type Cursor struct {
	text   []byte
	offset int    // the last one
	lines  int    // newlines before it
	begin  int    // of its line
	column int    // characters between begin and it
	line   string // its line, if known
	known  bool   // line is set
}

// NewCursor returns a cursor on text, which has no byte-order mark.
func NewCursor(text []byte) *Cursor { return &Cursor{text: text} }

// Position returns the line and the column (in characters) of an offset, both counted from 1,
// and the text of the line without its newline.
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
