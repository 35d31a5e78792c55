package shell

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

// A text for a shell in which something is unknown is read with a mark in the place of each unknown
// part (D122): a character that no text has, and that is a part of a word like any letter.
const (
	firstMark = 0xF0000
	lastMark  = 0xFFFFD
	markByte  = 0xF3 // the first byte of each mark
)

// isMark reports whether a character may be a mark.
func isMark(c rune) bool { return firstMark <= c && c <= lastMark }

// withoutMarks returns a text in which no character is a mark.
func withoutMarks(text string) string {
	if strings.IndexByte(text, markByte) < 0 {
		return text
	}
	return strings.Map(func(c rune) rune {
		if isMark(c) {
			return utf8.RuneError
		}
		return c
	}, text)
}

// mark returns the mark of an unknown part.
func (r *Reader) mark(p Piece) string {
	for i, known := range r.marks {
		if known == p {
			return string(rune(firstMark + i))
		}
	}
	if firstMark+len(r.marks) >= lastMark {
		panic(exhausted{})
	}
	r.marks = append(r.marks, p)
	return string(rune(firstMark + len(r.marks) - 1))
}

// marked returns the unknown part of which a text begins with the mark, and the size of the mark;
// 0 if it does not begin with one.
func (r *Reader) marked(text string) (p Piece, size int) {
	if text[0] != markByte {
		return Piece{}, 0
	}
	c, size := utf8.DecodeRuneInString(text)
	if !isMark(c) || int(c-firstMark) >= len(r.marks) {
		return Piece{}, 0
	}
	return r.marks[c-firstMark], size
}

// unmarked returns a text with the sources of the unknown parts in place of their marks.
func (r *Reader) unmarked(text string) string {
	if strings.IndexByte(text, markByte) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		p, size := r.marked(text[i:])
		if size == 0 {
			b.WriteByte(text[i])
			i++
			continue
		}
		b.WriteString(p.Text)
		i += size
	}
	return b.String()
}

// textOf returns a word as the text that a program hands to a shell. What is unknown in it may have
// any structure, which is noted.
func (r *Reader) textOf(name string, w word) string {
	if !w.unknown && !w.glob && !w.filled || w.unknown && !w.glob && !w.filled && w.plain && keepsPlain(w.text) {
		return w.text
	}
	r.note("the text that %s runs is not static: %s", name, excerpt(w.text))
	pieces := w.pieces
	if pieces == nil && w.unknown {
		return r.mark(Piece{Text: w.text, Kind: Unquoted})
	} else if pieces == nil {
		pieces = []Piece{{Text: w.text}}
	}
	var b strings.Builder
	for _, p := range pieces {
		switch {
		case p.Kind != Literal:
			b.WriteString(r.mark(p))
		case w.filled:
			fill := cmp.Or(w.fill, "{}")
			b.WriteString(strings.ReplaceAll(p.Text, fill, r.mark(Piece{Text: fill, Kind: Unquoted})))
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String()
}
