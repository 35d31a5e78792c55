package term

import "strings"

// Table is rows of cells, aligned in columns below titles.
type Table struct {
	Titles    []string // nil: none
	Rows      [][]string
	Right     []bool                       // right-aligned columns
	Style     func(row, column int) string // the style of a cell; nil: none
	Long      bool                         // a long cell does not widen its column on a terminal
	Cut       bool                         // the last cell is cut instead of wrapped
	Hide      []int                        // columns that may be hidden, in this order
	LastWidth int                          // width that the last cell needs
	// Narrow returns the cells and the lines below them for a row if the last cell would be
	// narrower than LastWidth. If it is nil, the cell is wrapped.
	Narrow func(row int) (cells, below []string)
}

// Text formats the table for a terminal of width columns, 0 for none.
func (t *Table) Text(width int, paint func(style, text string) string) string {
	c := Columns{Width: width}
	if t.Long {
		c = ColumnsOn(width)
	}
	c.Right = t.Right
	if t.Titles != nil {
		c.Fit(t.Titles)
	}
	for _, row := range t.Rows {
		c.Fit(row)
	}
	title := func(_ int, cell string) string { return paint(Faint, cell) }
	if !c.Hide(t.Hide, t.LastWidth) && t.Narrow != nil {
		return t.narrow(c, title)
	}
	var b strings.Builder
	if t.Titles != nil {
		b.WriteString(c.Line(t.Titles, title))
	}
	format := c.Wrapped
	if t.Cut {
		format = c.Line
	}
	for i, row := range t.Rows {
		b.WriteString(format(row, func(column int, cell string) string {
			if t.Style == nil {
				return cell
			}
			return paint(t.Style(i, column), cell)
		}))
	}
	return b.String()
}

// narrow formats the rows by the function Narrow.
func (t *Table) narrow(c Columns, title func(column int, cell string) string) string {
	var b strings.Builder
	for i := range t.Rows {
		cells, below := t.Narrow(i)
		last := len(cells) - 1
		head := Columns{Width: c.Width, Widths: c.Widths[:last], widest: c.widest}
		if i == 0 && last > 0 && t.Titles != nil {
			b.WriteString(head.Line(t.Titles[:last+1], title))
		}
		if last == 0 {
			b.WriteString(strings.Join(Hang(cells[0], 4, c.Width), "\n") + "\n")
		} else {
			b.WriteString(head.Wrapped(cells, Unpainted))
		}
		for _, line := range below {
			lines := Hang("  "+line, 2, c.Width)
			if t.Cut && len(lines) > 1 {
				lines = []string{CutTo("  "+line, c.Width)}
			}
			b.WriteString(strings.Join(lines, "\n") + "\n")
		}
	}
	return b.String()
}
