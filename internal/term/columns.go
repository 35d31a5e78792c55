package term

import (
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// Columns aligns cells in columns. The columns grow with their cells and never shrink, so that
// rows can be written one at a time.
type Columns struct {
	Right  []bool // right-aligned columns
	Widths []int
	hidden []bool // hidden columns
	Width  int    // columns of the terminal, at which a row is cut; 0: no limit
}

const ColumnGap = 2

// Fit makes the columns wide enough for row, except for its last cell.
func (c *Columns) Fit(row []string) {
	for len(c.Widths) < len(row)-1 {
		c.Widths = append(c.Widths, 0)
		c.hidden = append(c.hidden, false)
	}
	for i, cell := range row[:len(row)-1] {
		c.Widths[i] = max(c.Widths[i], Width(cell))
	}
}

// Hide hides columns, in the given order, until at least lastWidth of the terminal's columns
// remain for the last column. It reports whether they do.
func (c *Columns) Hide(order []int, lastWidth int) bool {
	for _, i := range order {
		if c.Width == 0 || c.Before()+lastWidth <= c.Width {
			break
		}
		c.hidden[i] = true
	}
	return c.Width == 0 || c.Before()+lastWidth <= c.Width
}

// Before returns the width of the columns before the last one, including gaps.
func (c *Columns) Before() int {
	n := 0
	for i, width := range c.Widths {
		if !c.isHidden(i) {
			n += width + ColumnGap
		}
	}
	return n
}

// Line returns row as one line. paint may color each cell; the color does not count as width.
func (c *Columns) Line(row []string, paint func(column int, cell string) string) string {
	var b strings.Builder
	used := 0
	for i, cell := range row {
		if c.isHidden(i) {
			continue
		}
		if i == len(row)-1 && c.Width > 0 {
			cell = CutTo(cell, max(1, c.Width-used))
		}
		pad := 0
		if i < len(c.Widths) && i < len(row)-1 {
			pad = c.Widths[i] - Width(cell)
		}
		pad = max(0, pad)
		used += Width(cell) + pad + ColumnGap
		if i < len(c.Right) && c.Right[i] {
			b.WriteString(strings.Repeat(" ", pad))
			pad = 0
		}
		b.WriteString(paint(i, cell))
		b.WriteString(strings.Repeat(" ", pad+ColumnGap))
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

// Wrapped returns row as one line. On a terminal, the rest of a last cell that does not fit
// follows on the next lines.
func (c *Columns) Wrapped(row []string, paint func(column int, cell string) string) string {
	last := len(row) - 1
	indent := c.Before()
	if c.Width == 0 || indent+Width(row[last]) <= c.Width {
		return c.Line(row, paint)
	}
	lines := Wrap(row[last], max(10, c.Width-indent))
	text := c.Line(append(row[:last:last], lines[0]), paint)
	for _, line := range lines[1:] {
		text += strings.Repeat(" ", indent) + paint(last, line) + "\n"
	}
	return text
}

func (c *Columns) isHidden(i int) bool { return i < len(c.hidden) && c.hidden[i] }

// Unpainted returns each cell unchanged.
func Unpainted(_ int, cell string) string { return cell }

// CutTo shortens text to at most n columns.
func CutTo(text string, n int) string {
	if Width(text) <= n {
		return text
	}
	at := Fitting(text, n-1)
	if Width(text[:at]) > n-1 {
		at = 0
	}
	return text[:at] + "…"
}

// Fitting returns how many bytes of text fit into n columns, at least one
// character.
func Fitting(text string, n int) int {
	used := 0
	for i := 0; i < len(text); {
		size, columns := symbolAt(text[i:])
		used += columns
		if used > n && i > 0 {
			return i
		}
		i += size
	}
	return len(text)
}

// Width returns the number of columns that text, which may be painted, takes in a terminal.
func Width(text string) int {
	n := 0
	for i := 0; i < len(text); {
		size, columns := symbolAt(text[i:])
		n += columns
		i += size
	}
	return n
}

// symbolAt returns the size in bytes and the columns of the first character of text. An escape
// sequence of Paint counts as one character without columns.
func symbolAt(text string) (size, columns int) {
	if strings.HasPrefix(text, "\x1b[") {
		if end := strings.IndexByte(text, 'm'); end > 0 {
			return end + 1, 0
		}
	}
	r, size := utf8.DecodeRuneInString(text)
	return size, RuneWidth(r)
}

// Cell converts any text to one line without terminal escape sequences.
func Cell(text string) string { return shown.Line(text) }
