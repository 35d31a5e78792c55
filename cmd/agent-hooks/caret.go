package main

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/spec"
)

// diagnosticText returns d as it is to be printed on w, and on a terminal the
// source line and the place in it.
func (env *Env) diagnosticText(w io.Writer, indent int, d spec.Diagnostic) string {
	d.Path = env.relative(d.Path)
	style := red
	if d.Severity == spec.Warning {
		style = yellow
	}
	margin := strings.Repeat(" ", indent)
	text := margin + env.paint(w, style, string(d.Severity)+":") + " " + printable(strings.ReplaceAll(d.String(), "\n", " "))
	text = env.paragraph(w, indent+2, text)
	if !isTerminal(w) || d.Source == "" {
		return text
	}
	margin += "  "
	number := strconv.Itoa(d.Line)
	source, below := caret(d.Source, d.Column, env.width(w)-len(margin+number+" | "))
	bar := env.paint(w, faint, "|") + " "
	text += margin + env.paint(w, faint, number) + " " + bar + source + "\n"
	return text + margin + strings.Repeat(" ", len(number)+1) + bar + below + env.paint(w, style, "^") + "\n"
}

// caret returns a source line as it may be shown on so many columns, the part
// around a column if it is longer, and the blanks before a ^ that stands
// below the column. It counts in characters, from 1.
func caret(source string, column, width int) (line, blanks string) {
	var b strings.Builder
	at := -1 // the column's byte in b
	for i, n := 0, 1; i < len(source); n++ {
		if n >= column && at < 0 {
			at = b.Len()
		}
		_, size := utf8.DecodeRuneInString(source[i:])
		b.WriteString(printable(source[i : i+size]))
		i += size
	}
	if line = b.String(); at < 0 {
		at = len(line)
	}
	before := expandTabs(line[:at], 0)
	line = expandTabs(line, 0)
	line, at = window(line, len(before), width)
	return line, strings.Repeat(" ", displayWidth(line[:at]))
}

// window returns the part of line around the byte at that fits into width
// columns, and where at is in it. A width below ten leaves the line alone.
func window(line string, at, width int) (string, int) {
	whole := displayWidth(line)
	if width < 10 || whole <= width {
		return line, at
	}
	from, head := 0, ""
	if skip := min(displayWidth(line[:at])-width*2/3, whole-width) + 1; skip > 1 {
		head = "…"
		for skipped := 0; from < at && skipped < skip; {
			_, size, columns := symbolAt(line[from:])
			from += size
			skipped += columns
		}
	}
	return head + cutTo(line[from:], width-len(head)/len("…")), len(head) + at - from
}
