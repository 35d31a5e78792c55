package term

import (
	"strings"
	"unicode/utf8"
)

// Caret returns a source line as it may be shown on so many columns, the part
// around a column if it is longer, and the blanks before a ^ that stands
// below the column. It counts in characters, from 1.
func Caret(source string, column, width int) (line, blanks string) {
	var b strings.Builder
	at := -1 // the column's byte in b
	for i, n := 0, 1; i < len(source); n++ {
		if n >= column && at < 0 {
			at = b.Len()
		}
		_, size := utf8.DecodeRuneInString(source[i:])
		b.WriteString(Printable(source[i : i+size]))
		i += size
	}
	if line = b.String(); at < 0 {
		at = len(line)
	}
	before := ExpandTabs(line[:at], 0)
	line = ExpandTabs(line, 0)
	line, at = window(line, len(before), width)
	return line, strings.Repeat(" ", Width(line[:at]))
}

// window returns the part of line around the byte at that fits into width
// columns, and where at is in it. A width below ten leaves the line alone.
func window(line string, at, width int) (string, int) {
	whole := Width(line)
	if width < 10 || whole <= width {
		return line, at
	}
	from, head := 0, ""
	if skip := min(Width(line[:at])-width*2/3, whole-width) + 1; skip > 1 {
		head = "…"
		for skipped := 0; from < at && skipped < skip; {
			_, size, columns := symbolAt(line[from:])
			from += size
			skipped += columns
		}
	}
	return head + CutTo(line[from:], width-len(head)/len("…")), len(head) + at - from
}
