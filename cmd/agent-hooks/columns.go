package main

import (
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/textwidth"
)

// columns lays cells out below each other. Its columns grow with what is put
// in them and never shrink, so that rows may be written as they come.
type columns struct {
	right  []bool // columns whose cells stand at the right
	widths []int
	hidden []bool // columns that were given up
	most   int    // columns of the terminal, behind which a row is cut; 0: none
	widest int    // a cell that is wider ends its line, and the row goes on below; 0: none
}

const columnGap = 2

// columnsOn returns columns for a terminal of so many, 0 for none, in which
// one long name does not push all others aside.
func columnsOn(most int) columns {
	c := columns{most: most}
	if most > 0 {
		c.widest = max(24, most/3)
	}
	return c
}

// fit makes the columns wide enough for row, but for its last cell.
func (c *columns) fit(row []string) {
	for len(c.widths) < len(row)-1 {
		c.widths = append(c.widths, 0)
		c.hidden = append(c.hidden, false)
	}
	for i, cell := range row[:len(row)-1] {
		if width := displayWidth(cell); c.widest == 0 || width <= c.widest {
			c.widths[i] = max(c.widths[i], width)
		}
	}
}

// giveUp hides columns, in this order, until those before the last leave it
// at least so many of the terminal's columns, and reports whether they do.
func (c *columns) giveUp(order []int, least int) bool {
	for _, i := range order {
		if c.most == 0 || c.before()+least <= c.most {
			break
		}
		c.hidden[i] = true
	}
	return c.most == 0 || c.before()+least <= c.most
}

// before returns what the columns before the last take, with their gaps.
func (c *columns) before() int {
	n := 0
	for i, width := range c.widths {
		if !c.gaveUp(i) {
			n += width + columnGap
		}
	}
	return n
}

// line returns row as one line; paint may colour each cell, which does not
// count.
func (c *columns) line(row []string, paint func(column int, cell string) string) string {
	var b strings.Builder
	used := 0
	for i, cell := range row {
		if c.gaveUp(i) {
			continue
		}
		if i == len(row)-1 && c.most > 0 {
			cell = cutTo(cell, max(1, c.most-used))
		}
		pad := 0
		if i < len(c.widths) && i < len(row)-1 {
			pad = c.widths[i] - displayWidth(cell)
		}
		if pad < 0 && c.widest > 0 {
			above := hang(b.String()+paint(i, cell), used+4, c.most)
			b.Reset()
			used += c.widths[i] + columnGap
			b.WriteString(strings.Join(above, "\n") + "\n" + strings.Repeat(" ", used))
			continue
		}
		pad = max(0, pad)
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

// wrapped returns row as one line and, on a terminal, what does not fit of
// its last cell in lines below it, all of the cell if its column is narrow.
func (c *columns) wrapped(row []string, paint func(column int, cell string) string) string {
	last := len(row) - 1
	indent := c.before()
	switch {
	case c.most == 0 || indent+displayWidth(row[last]) <= c.most:
		return c.line(row, paint)
	case c.most-indent < 20:
		return c.line(append(row[:last:last], ""), paint) + c.below(row[last], func(line string) string { return paint(last, line) })
	}
	lines := wrap(row[last], c.most-indent)
	text := c.line(append(row[:last:last], lines[0]), paint)
	for _, line := range lines[1:] {
		text += strings.Repeat(" ", indent) + paint(last, line) + "\n"
	}
	return text
}

// below returns a cell as lines of their own.
func (c *columns) below(cell string, paint func(string) string) string {
	const indent = 4
	text := ""
	for _, line := range hang(strings.Repeat(" ", indent)+cell, indent, c.most) {
		text += paint(line) + "\n"
	}
	return text
}

func (c *columns) gaveUp(i int) bool { return i < len(c.hidden) && c.hidden[i] }

func (c *columns) atRight(i int) bool { return i < len(c.right) && c.right[i] }

func unpainted(_ int, cell string) string { return cell }

// cutTo shortens text to at most n columns.
func cutTo(text string, n int) string {
	if displayWidth(text) <= n {
		return text
	}
	at := fitting(text, n-1)
	if displayWidth(text[:at]) > n-1 {
		at = 0
	}
	return text[:at] + "…"
}

// fitting returns how many bytes of text fit into n columns, at least one
// character.
func fitting(text string, n int) int {
	used := 0
	for i := 0; i < len(text); {
		_, size, columns := symbolAt(text[i:])
		if used += columns; used > n && i > 0 {
			return i
		}
		i += size
	}
	return len(text)
}

// displayWidth returns how many columns text, which may be painted, takes in
// a terminal.
func displayWidth(text string) int {
	n := 0
	for i := 0; i < len(text); {
		_, size, columns := symbolAt(text[i:])
		n += columns
		i += size
	}
	return n
}

// symbolAt returns the first character of text, its bytes and its columns. A
// sequence of paint's counts as one character without columns.
func symbolAt(text string) (r rune, size, columns int) {
	if strings.HasPrefix(text, "\x1b[") {
		if end := strings.IndexByte(text, 'm'); end > 0 {
			return 0, end + 1, 0
		}
	}
	r, size = utf8.DecodeRuneInString(text)
	return r, size, textwidth.Rune(r)
}

// cutLine cuts a line that nobody reads to its end.
func cutLine(line string) string {
	const most = 2000
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}

// cellText makes one line without a terminal's commands out of any text.
func cellText(text string) string {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return "-"
	}
	return printable(text)
}
