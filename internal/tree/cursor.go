package tree

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Cursor converts byte offsets in one text to lines and columns. Offsets in ascending order take
// one pass over the text in total; a smaller offset starts a new pass.
type Cursor struct {
	text   []byte
	offset int    // the last offset
	lines  int    // number of newlines before offset
	begin  int    // where the line of offset begins
	column int    // number of characters between begin and offset
	line   string // the line of offset
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
