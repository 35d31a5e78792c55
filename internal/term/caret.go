package term

import (
	"strings"
	"unicode/utf8"
)

// Caret returns a source line shortened to width columns, keeping the part around a column, and
// the spaces before a ^ below that column. Columns are counted in characters, from 1.
func Caret(source string, column, width int) (line, blanks string) {
	var b strings.Builder
	at := -1 // the index in b of the character at column
	for i, n := 0, 1; i < len(source); n++ {
		if n >= column && at < 0 {
			at = b.Len()
		}
		_, size := utf8.DecodeRuneInString(source[i:])
		b.WriteString(Printable(source[i : i+size]))
		i += size
	}
	line = b.String()
	if at < 0 {
		at = len(line)
	}
	before := ExpandTabs(line[:at], 0)
	line = ExpandTabs(line, 0)
	line, at = window(line, len(before), width)
	return line, strings.Repeat(" ", Width(line[:at]))
}

// window returns the part of line around the byte at that fits into width columns, and the
// index of at in it. With a width below ten, it returns the whole line.
func window(line string, at, width int) (string, int) {
	whole := Width(line)
	if width < 10 || whole <= width {
		return line, at
	}
	from, head := 0, ""
	if skip := min(Width(line[:at])-width*2/3, whole-width) + 1; skip > 1 {
		head = "…"
		for skipped := 0; from < at && skipped < skip; {
			size, columns := symbolAt(line[from:])
			from += size
			skipped += columns
		}
	}
	return head + CutTo(line[from:], width-len(head)/len("…")), len(head) + at - from
}
