package term

import "strings"

// Caret returns a source line shortened to width columns, keeping the part around a column, and
// the spaces before a ^ below that column. Columns are counted in characters, from 1. With a width
// below ten, it returns the whole line.
func Caret(source string, column, width int) (line, blanks string) {
	at, n := len(source), 1
	for i := range source {
		if n >= column {
			at = i
			break
		}
		n++
	}
	before := ExpandTabs(Printable(source[:at]), 0)
	after := ExpandTabs(Printable(source[at:]), -Width(before))
	if whole := Width(before) + Width(after); width >= 10 && whole > width {
		if skip := min(Width(before)-width*2/3, whole-width) + 1; skip > 1 {
			before = "…" + before[Fitting(before, skip):]
		}
		after = CutTo(after, width-Width(before))
	}
	return before + after, strings.Repeat(" ", Width(before))
}
