// Package svg draws the screen of a terminal as an SVG picture that needs no other files. It
// does not interpret escape sequences.
package svg

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Picture is a terminal window.
type Picture struct {
	Title, Description string // alternative texts
	Columns            int
	Lines              []Line
	Looks              []Look // of the styles of all cells
}

// Line is a line on the screen.
type Line []Cell

// Cell is one character on the screen, including combining characters.
type Cell struct {
	Text       string
	Style      string // one of the picture's looks; empty: the usual one
	Background string // a CSS color; empty: the window's
	Wide       bool   // it takes two columns
}

// Columns returns the width of the line in columns.
func (l Line) Columns() int {
	n := 0
	for _, c := range l {
		n += c.Columns()
	}
	return n
}

// Columns returns the width of the cell in columns.
func (c Cell) Columns() int {
	if c.Wide {
		return 2
	}
	return 1
}

// Look is the CSS for text in a style. Styles consist of letters, digits and semicolons.
type Look struct{ Style, CSS string }

// Colors of the window.
const (
	Foreground = "#d3dae3"
	Background = "#10151c"
)

// The sizes of a picture, in its own units. Each run of text has a position and a length,
// because the widths of fonts differ.
const (
	letter  = 8.4 // width of a column
	leading = 20.0
	bar     = 34.0 // height of the bar above the text
	margin  = 18.0
	ascent  = 14.0
)

// The window is dark on light and dark pages. The border makes it visible on both.
const head = `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]g" height="%[2]g" viewBox="0 0 %[1]g %[2]g" role="img" aria-labelledby="title description">
<title id="title">%[3]s</title>
<desc id="description">%[4]s</desc>
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace; fill: ` + Foreground + `; white-space: pre }
.bar { fill: #8b95a1; text-anchor: middle }
.wide { font-size: 16px }
%[8]s</style>
<rect x=".5" y=".5" width="%[5]g" height="%[6]g" rx="9" fill="` + Background + `" stroke="#4a545f"/>
<circle cx="21" cy="19" r="5.5" fill="#ff6159"/><circle cx="40" cy="19" r="5.5" fill="#ffbd2e"/><circle cx="59" cy="19" r="5.5" fill="#2acb42"/>
<text class="bar" x="%[7]g" y="24">~/project</text>
`

func (l Look) class() string { return "s" + strings.ReplaceAll(l.Style, ";", "-") }

// Draw returns the picture as SVG. It returns an error for a style without a look.
func (p Picture) Draw() ([]byte, error) {
	width, height := round(2*margin+float64(p.Columns)*letter), round(bar+margin+float64(len(p.Lines))*leading)
	var b bytes.Buffer
	fmt.Fprintf(&b, head, width, height, escape(p.Title), escape(p.Description), width-1, height-1, round(width/2), p.rules())
	for i, l := range p.Lines {
		top := bar + float64(i)*leading
		l.drawBackgrounds(&b, top)
		for _, r := range l.runs() {
			if err := p.draw(&b, r, round(top+ascent)); err != nil {
				return nil, err
			}
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

func (p Picture) rules() string {
	var b strings.Builder
	for _, l := range p.Looks {
		fmt.Fprintf(&b, ".%s { %s }\n", l.class(), l.CSS)
	}
	return b.String()
}

// drawBackgrounds draws a rectangle behind adjacent cells of one background.
func (l Line) drawBackgrounds(b *bytes.Buffer, top float64) {
	for start, end := 0, 0; start < len(l); start = end {
		for end < len(l) && l[end].Background == l[start].Background {
			end++
		}
		if color := l[start].Background; color != "" {
			x, width := float64(l[:start].Columns())*letter, float64(l[start:end].Columns())*letter
			fmt.Fprintf(b, `<rect x="%g" y="%g" width="%g" height="%g" fill="%s"/>`+"\n", round(margin+x), round(top), round(width), leading, escape(color))
		}
	}
}

// run is text of one style and width that begins in a column.
type run struct {
	column, columns int
	text            string
	first           Cell
}

// runs splits a line where its look changes, and at spaces other than single spaces between two
// characters of the same look.
func (l Line) runs() []run {
	var runs []run
	column, gap := 0, true
	for i, c := range l {
		if c.Text == " " && !l.joins(i) {
			gap = true
		} else {
			if gap || !l[i-1].looksLike(c) {
				runs = append(runs, run{column: column, first: c})
			}
			r := &runs[len(runs)-1]
			r.text += c.Text
			r.columns += c.Columns()
			gap = false
		}
		column += c.Columns()
	}
	return runs
}

// joins reports whether a space has a character of the same look on both sides.
func (l Line) joins(i int) bool {
	for _, neighbor := range []int{i - 1, i + 1} {
		if neighbor < 0 || neighbor == len(l) || l[neighbor].Text == " " || !l[neighbor].looksLike(l[i]) {
			return false
		}
	}
	return true
}

func (c Cell) looksLike(other Cell) bool {
	return c.Style == other.Style && c.Wide == other.Wide && c.isBlock() == other.isBlock()
}

func (p Picture) draw(b *bytes.Buffer, r run, y float64) error {
	classes, err := p.classes(r)
	if err != nil {
		return err
	}
	if r.first.isBlock() {
		fmt.Fprintf(b, `<path%s shape-rendering="crispEdges" d="%s"/>`+"\n", classes, blockPath(r, y-ascent))
		return nil
	}
	fmt.Fprintf(b, `<text%s x="%g" y="%g" textLength="%g">%s</text>`+"\n",
		classes, round(margin+float64(r.column)*letter), y, round(float64(r.columns)*letter), escape(r.text))
	return nil
}

// blocks has the block elements in the order of their filled quarters: upper left 1, upper
// right 2, lower left 4, lower right 8.
const blocks = "▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"

func (c Cell) isBlock() bool { return c.Text != "" && strings.Contains(blocks, c.Text) }

// blockPath returns the filled quarters of a run of block elements. Fonts would leave gaps
// between lines.
func blockPath(r run, top float64) string {
	var path strings.Builder
	for i, block := range []rune(r.text) {
		filled := 1 + slices.Index([]rune(blocks), block)
		for quarter := range 4 {
			if filled>>quarter&1 == 1 {
				x, y := margin+(float64(r.column+i)+float64(quarter%2)/2)*letter, top+float64(quarter/2)*leading/2
				fmt.Fprintf(&path, "M%g %gh%gv%gh-%[3]gz", round(x), round(y), letter/2, leading/2)
			}
		}
	}
	return path.String()
}

func (p Picture) classes(r run) (attribute string, err error) {
	var names []string
	if style := r.first.Style; style != "" {
		i := slices.IndexFunc(p.Looks, func(l Look) bool { return l.Style == style })
		if i < 0 {
			return "", fmt.Errorf("no look is known for the style %q of %q", style, r.text)
		}
		names = append(names, p.Looks[i].class())
	}
	if r.first.Wide {
		names = append(names, "wide")
	}
	if len(names) == 0 {
		return "", nil
	}
	return ` class="` + strings.Join(names, " ") + `"`, nil
}

func round(x float64) float64 { return math.Round(x*10) / 10 }

func escape(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // writes to a buffer do not fail
	return strings.NewReplacer("&#34;", `"`, "&#39;", "'").Replace(b.String())
}
