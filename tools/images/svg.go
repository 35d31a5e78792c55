package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"
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
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace; fill: #d3dae3; white-space: pre }
.bar { fill: #8b95a1; text-anchor: middle }
.wide { font-size: 16px }
%[8]s</style>
<rect x=".5" y=".5" width="%[5]g" height="%[6]g" rx="9" fill="#10151c" stroke="#4a545f"/>
<circle cx="21" cy="19" r="5.5" fill="#ff6159"/><circle cx="40" cy="19" r="5.5" fill="#ffbd2e"/><circle cx="59" cy="19" r="5.5" fill="#2acb42"/>
<text class="bar" x="%[7]g" y="24">~/project</text>
`

// look is the CSS for text in one of agent-hooks' styles.
type look struct{ style, css string }

func looks() []look {
	return []look{
		{"1", "fill: #fff; font-weight: 600"},
		{"2", "fill: #8b95a1"},
		{"32", "fill: #57d364"},
		{"1;31", "fill: #ff8f87; font-weight: 600"},
		{"1;33", "fill: #e9c04f; font-weight: 600"},
	}
}

func (l look) class() string { return "s" + strings.ReplaceAll(l.style, ";", "-") }

// svg draws a terminal with the given columns and lines. It returns an error for an
// unknown style.
func svg(title, description string, columns int, lines []line) ([]byte, error) {
	width, height := round(2*margin+float64(columns)*letter), round(bar+margin+float64(len(lines))*leading)
	var b bytes.Buffer
	fmt.Fprintf(&b, head, width, height, escape(title), escape(description), width-1, height-1, round(width/2), rules())
	for i, l := range lines {
		y := round(bar + float64(i)*leading + ascent)
		for _, r := range l.runs() {
			if err := r.draw(&b, y); err != nil {
				return nil, err
			}
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

func rules() string {
	var b strings.Builder
	for _, l := range looks() {
		fmt.Fprintf(&b, ".%s { %s }\n", l.class(), l.css)
	}
	return b.String()
}

// run is text of one style and width that begins in a column.
type run struct {
	column, columns int
	text            string
	first           cell
}

// runs splits a line where its look changes, and at spaces other than single spaces between two
// characters of the same look.
func (l line) runs() []run {
	var runs []run
	column, gap := 0, true
	for i, c := range l {
		if c.text == " " && !l.joins(i) {
			gap = true
		} else {
			if gap || !l[i-1].looksLike(c) {
				runs = append(runs, run{column: column, first: c})
			}
			r := &runs[len(runs)-1]
			r.text += c.text
			r.columns += c.columns()
			gap = false
		}
		column += c.columns()
	}
	return runs
}

// joins reports whether a space has a character of the same look on both sides.
func (l line) joins(i int) bool {
	for _, neighbor := range []int{i - 1, i + 1} {
		if neighbor < 0 || neighbor == len(l) || l[neighbor].text == " " || !l[neighbor].looksLike(l[i]) {
			return false
		}
	}
	return true
}

func (c cell) looksLike(other cell) bool { return c.style == other.style && c.wide == other.wide }

func (r run) draw(b *bytes.Buffer, y float64) error {
	classes, err := r.classes()
	if err != nil {
		return err
	}
	fmt.Fprintf(b, `<text%s x="%g" y="%g" textLength="%g">%s</text>`+"\n",
		classes, round(margin+float64(r.column)*letter), y, round(float64(r.columns)*letter), escape(r.text))
	return nil
}

func (r run) classes() (attribute string, err error) {
	var names []string
	if style := r.first.style; style != "" {
		i := slices.IndexFunc(looks(), func(l look) bool { return l.style == style })
		if i < 0 {
			return "", fmt.Errorf("no look is known for the style %q of %q", style, r.text)
		}
		names = append(names, looks()[i].class())
	}
	if r.first.wide {
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
