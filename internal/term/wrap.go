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
		if text = strings.TrimLeft(text[at:], " "); text == "" {
			return lines
		}
	}
}

// breakAt returns the byte at which a line of room columns ends: at its last space, or within a
// word that would not fit into the next line either, or that may be broken anywhere and would
// otherwise leave the line half empty.
func breakAt(text string, room, next int) int {
	var p places
	used, word, filled := 0, 0, 0 // columns of the line, of its last word, and before that
	var before, last rune         // the last visible one, the last one
	for i := 0; i < len(text); {
		r, size, columns := symbolAt(text[i:])
		if begins := last == ' ' && r != ' '; begins && filled+word > 0 {
			if p.overflow > 0 {
				break
			}
			p.blank, filled, word = i, used, 0
		}
		if used += columns; r != ' ' {
			word += columns
		}
		if p.overflow == 0 {
			p.look(i, size, before, r, r != ' ' && used > room)
		}
		if p.overflow > 0 && word > next {
			return p.within(text, filled >= room/2)
		}
		if last = r; columns > 0 {
			before = r
		}
		i += size
	}
	switch {
	case p.overflow == 0:
		return len(text)
	case p.blank > 0 && (filled >= room/2 || p.between <= p.blank):
		return p.blank
	}
	return p.within(text, false)
}

// places contains the last byte of each kind at which a line may end.
type places struct {
	overflow int // where it must end
	blank    int // after a space
	between  int // between characters of a script without spaces
	joint    int // after a slash, a bar or a hyphen in a word
	letters  int // number of consecutive letters
	path     bool
}

// look processes one character; the first one that does not fit is the last.
func (p *places) look(at, size int, before, r rune, tooFar bool) {
	p.path = r == '/' || p.path && r != ' '
	if !p.path && isBetween(before, r) {
		p.between = at
	}
	if tooFar {
		p.overflow = max(at, 1)
		return
	}
	if r == '/' || r == '|' || r == '-' && p.letters > 1 {
		p.joint = at + size
	}
	if p.letters++; !unicode.IsLetter(r) {
		p.letters = 0
	}
}

// WidestWord returns the width of the widest word in text.
func WidestWord(text string) int {
	most := 0
	for word := range strings.FieldsSeq(text) {
		most = max(most, Width(word))
	}
	return most
}

// within returns the position at which the last word is broken, or the space before it if it
// can only be cut and enough text precedes it.
func (p *places) within(text string, enough bool) int {
	switch {
	case p.between > p.blank:
		return p.between
	case p.joint > p.blank && Width(text[p.blank:p.overflow]) < 2*Width(text[p.blank:p.joint]):
		return p.joint
	case enough && p.blank > 0:
		return p.blank
	}
	return p.overflow
}

// isBetween reports whether a line may end between two characters of a script without spaces.
func isBetween(before, r rune) bool {
	const notFirst, notLast = "、。，．・：；？！）」』】〉》〕］｝ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ", "（「『【〈《〔［｛"
	return isIdeographic(before) && isIdeographic(r) && !strings.ContainsRune(notFirst, r) && !strings.ContainsRune(notLast, before)
}

func isIdeographic(r rune) bool { return RuneWidth(r) == 2 && !unicode.Is(unicode.Hangul, r) }

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
