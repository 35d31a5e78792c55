// Package shown spells texts that anyone may have written, such as file names,
// in messages.
package shown

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Path returns a path as it appears in a message: quoted if it would break the
// line, since whoever makes a folder chooses its name.
func Path(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(path)
	}
	return path
}

// Text spells what a terminal could take for a command, or would not
// show, as Go does in strings: control characters, those that turn the
// direction of text, invalid UTF-8. Tabs stay.
func Text(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, Hidden) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case Hidden(r):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Line makes one line of a text: each run of spaces and newlines becomes one
// space. An empty text becomes "-".
func Line(text string) string {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return "-"
	}
	return Text(text)
}

// Hidden reports whether a terminal shows nothing for a character, or does
// something with it: the fillers and selectors among these count as letters
// and marks in Unicode.
func Hidden(r rune) bool {
	switch {
	case r == '\t' || r >= ' ' && r < 0x7f:
		return false
	case r == '\u2800' || r == '\ufffc' || r == '\U0001d159': // a blank pattern, an object, a note without a head
		return true
	}
	return !unicode.IsPrint(r) || unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}
