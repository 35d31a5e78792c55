package main

import (
	"bytes"
	"encoding/json"
	"strings"
)

// wrap breaks a line at blanks into lines of at most width columns, a word
// that is longer where it must be. A width below ten breaks nothing.
func wrap(text string, width int) []string {
	if width < 10 || displayWidth(text) <= width {
		return []string{text}
	}
	var lines []string
	for displayWidth(text) > width {
		at := breakAt(text, width)
		lines = append(lines, strings.TrimRight(text[:at], " "))
		text = strings.TrimLeft(text[at:], " ")
	}
	if text == "" {
		return lines
	}
	return append(lines, text)
}

// hanging breaks text into lines of which all but the first stand two columns
// to the right. A width of 0 breaks nothing.
func hanging(text string, width int) string {
	const indent = 2
	if width < 10+indent || displayWidth(text) <= width {
		return text + "\n"
	}
	at := breakAt(text, width)
	lines := strings.TrimRight(text[:at], " ") + "\n"
	for _, line := range wrap(strings.TrimLeft(text[at:], " "), width-indent) {
		lines += strings.Repeat(" ", indent) + line + "\n"
	}
	return lines
}

// breakAt is the byte at which a line of width columns ends: behind its last
// blank, or behind the last character that fits.
func breakAt(text string, width int) int {
	used, blank := 0, 0
	for i, r := range text {
		if used += runeWidth(r); used > width && i > 0 {
			if blank > 0 {
				return blank
			}
			return i
		}
		if r == ' ' && i > 0 {
			blank = i + 1
		}
	}
	return len(text)
}

// cutLine cuts a line that nobody reads to its end.
func cutLine(line string) string {
	const most = 2000
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}

// indentJSON spells JSON over several lines; "" if text is none.
func indentJSON(text string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(text), "", "  ") != nil {
		return ""
	}
	return b.String() + "\n"
}

// compactJSON spells JSON on one line.
func compactJSON(text []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return ""
	}
	return b.String()
}
