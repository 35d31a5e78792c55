package main

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// columns lays cells out below each other. Its columns grow with what is put
// in them and never shrink, so that rows may be written as they come.
type columns struct {
	right  []bool // columns whose cells stand at the right
	widths []int
	most   int // columns of the terminal, behind which a row is cut; 0: none
}

const columnGap = 2

// fit makes the columns wide enough for row, but for its last cell.
func (c *columns) fit(row []string) {
	for len(c.widths) < len(row)-1 {
		c.widths = append(c.widths, 0)
	}
	for i, cell := range row[:len(row)-1] {
		c.widths[i] = max(c.widths[i], displayWidth(cell))
	}
}

// line returns row as one line; paint may colour each cell, which does not
// count.
func (c *columns) line(row []string, paint func(column int, cell string) string) string {
	var b strings.Builder
	used := 0
	for i, cell := range row {
		if i == len(row)-1 && c.most > 0 {
			cell = cutTo(cell, max(1, c.most-used))
		}
		pad := 0
		if i < len(c.widths) && i < len(row)-1 {
			pad = max(0, c.widths[i]-displayWidth(cell))
		}
		used += displayWidth(cell) + pad + columnGap
		if c.atRight(i) {
			b.WriteString(strings.Repeat(" ", pad))
			pad = 0
		}
		b.WriteString(paint(i, cell))
		b.WriteString(strings.Repeat(" ", pad+columnGap))
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

func (c *columns) atRight(i int) bool { return i < len(c.right) && c.right[i] }

func unpainted(_ int, cell string) string { return cell }

// cutTo shortens text to at most n columns.
func cutTo(text string, n int) string {
	if displayWidth(text) <= n {
		return text
	}
	used := 0
	for i, r := range text {
		if used+runeWidth(r) > n-1 {
			return text[:i] + "…"
		}
		used += runeWidth(r)
	}
	return text
}

// displayWidth returns how many columns text takes in a terminal.
func displayWidth(text string) int {
	n := 0
	for _, r := range text {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// cellText makes one line without a terminal's commands out of any text.
func cellText(text string) string {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return "-"
	}
	return printable(text)
}
