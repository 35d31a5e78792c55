package term

import (
	"cmp"
	"strings"
)

// Table is rows of cells, aligned in columns below titles. On a terminal that is too narrow for the
// columns, each row is a paragraph: its first cell, and below it the others with their titles.
type Table struct {
	Titles    []string // nil: none
	Rows      [][]string
	Right     []bool                       // right-aligned columns
	Style     func(row, column int) string // the style of a cell; nil: none
	Cut       bool                         // the last cell is cut instead of wrapped
	Hide      []int                        // columns that may be hidden, in this order
	LastWidth int                          // width that the last cell needs; 0: 12 columns
	Below     func(row int) string         // a line below a row; nil, or "": none
	// Columns continues those of another table, whose titles are not repeated; nil: none.
	Columns *Columns
}

// Text formats the table for a terminal of width columns, 0 for none.
func (t *Table) Text(width int, paint func(style, text string) string) string {
	c := t.Columns
	if c == nil {
		c = new(Columns)
	}
	c.Width, c.Right = width, t.Right
	first := c.Widths == nil && t.Titles != nil
	if first {
		c.Fit(t.Titles)
	}
	for _, row := range t.Rows {
		c.Fit(row)
	}
	fits := c.Hide(t.Hide, cmp.Or(t.LastWidth, 12))
	var b strings.Builder
	if first && fits {
		b.WriteString(c.Line(t.Titles, func(_ int, cell string) string { return paint(Faint, cell) }))
	}
	format := c.Wrapped
	if t.Cut {
		format = c.Line
	}
	for i, row := range t.Rows {
		painted := func(column int, cell string) string {
			if t.Style == nil {
				return cell
			}
			return paint(t.Style(i, column), cell)
		}
		if fits {
			b.WriteString(format(row, painted))
		} else {
			b.WriteString(t.paragraph(row, width, painted))
		}
		if t.Below == nil {
			continue
		}
		if below := t.Below(i); below != "" {
			b.WriteString(strings.Join(Hang("  "+below, 4, width), "\n") + "\n")
		}
	}
	return b.String()
}

// paragraph formats a row on lines of its own.
func (t *Table) paragraph(row []string, width int, paint func(column int, cell string) string) string {
	lines := Hang(paint(0, row[0]), 4, width)
	var others []string
	for i, cell := range row[1:] {
		if cell == "" || cell == "-" {
			continue
		}
		cell = paint(i+1, cell)
		if t.Titles != nil {
			cell = strings.ToLower(t.Titles[i+1]) + " " + cell
		}
		others = append(others, cell)
	}
	if others != nil {
		lines = append(lines, Hang("    "+strings.Join(others, ", "), 4, width)...)
	}
	return strings.Join(lines, "\n") + "\n"
}
