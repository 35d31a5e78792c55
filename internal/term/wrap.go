package term

import (
	"strings"
	"unicode"
)

// Wrap breaks text into lines of at most width columns. With a width below ten, it does not
// break text.
func Wrap(text string, width int) []string { return Hang(text, 0, width) }

// Hang breaks text into lines of at most width columns, and indents all except the first by
// indent columns. If fewer than ten columns remain, it does not break text.
func Hang(text string, indent, width int) []string {
	if width < indent+10 {
		return []string{text}
	}
	text = ExpandTabs(text, indent)
	var lines []string
	for margin := ""; ; margin = strings.Repeat(" ", indent) {
		room := width - len(margin)
		at := breakAt(text, room, width-indent)
		lines = append(lines, margin+strings.TrimRight(text[:at], " "))
		text = strings.TrimLeft(text[at:], " ")
		if text == "" {
			return lines
		}
	}
}

// breakAt returns the byte at which a line of room columns ends: before the first word that does not
// fit. A word that would not fit into the next line either is broken, if possible after a slash, a
// bar or a hyphen, unless the line is half full without it.
func breakAt(text string, room, next int) int {
	end := Fitting(text, room)
	if end == len(text) || text[end] == ' ' {
		return end
	}
	start := strings.LastIndexByte(text[:end], ' ') + 1
	word, _, _ := strings.Cut(text[start:], " ")
	before := Width(strings.TrimSpace(text[:start]))
	joint := lastJoint(text[start:end])
	switch {
	case before > 0 && Width(word) <= next:
		return start
	case joint > (end-start)/2:
		return start + joint
	case before >= room/2:
		return start
	}
	return end
}

// lastJoint returns the index after the last slash, bar or hyphen after two letters; 0 if there is
// none.
func lastJoint(word string) int {
	letter := func(i int) bool { return unicode.IsLetter(rune(word[i])) }
	for i := len(word) - 1; i > 1; i-- {
		if c := word[i]; c == '/' || c == '|' || c == '-' && letter(i-1) && letter(i-2) {
			return i + 1
		}
	}
	return 0
}

// ExpandTabs replaces tabs by spaces, up to the next tab stop of eight columns after indent.
func ExpandTabs(text string, indent int) string {
	const stop = 8
	if !strings.Contains(text, "\t") {
		return text
	}
	var b strings.Builder
	at := -indent
	for i, part := range strings.Split(text, "\t") {
		if i > 0 {
			blanks := stop - max(0, at)%stop
			b.WriteString(strings.Repeat(" ", blanks))
			at += blanks
		}
		b.WriteString(part)
		at += Width(part)
	}
	return b.String()
}
