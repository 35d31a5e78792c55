// Package shown formats untrusted text, such as file names, for messages on one line of a
// terminal.
package shown

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Path formats a path for a message. A path with characters that are not printable, such as
// newlines, is quoted.
func Path(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(path)
	}
	return path
}

// Text escapes, as in Go strings, characters that a terminal could interpret as commands or
// would not show: control characters except tabs, characters that change the direction of
// text, and bytes that are not UTF-8.
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

// Line formats a text as one line: Text, with each run of white space replaced by one space.
// For a text of white space, it returns "-".
func Line(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return "-"
	}
	return Text(text)
}

// Hidden reports whether a terminal shows nothing for a character, or interprets it. Some of
// these characters are printable in Unicode, such as fillers and variation selectors.
func Hidden(r rune) bool {
	switch {
	case r == '\t' || r >= ' ' && r < 0x7f:
		return false
	case r == '\u2800' || r == '\ufffc' || r == '\U0001d159': // a blank pattern, an object, a note without a head
		return true
	}
	return !unicode.IsPrint(r) || unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// OneLine joins a text into a single line, without escaping anything.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Short shortens a value so that it fits in a message of one line.
func Short(s string) string {
	const limit = 200
	return Cut(strings.ToValidUTF8(s[:min(len(s), limit+utf8.UTFMax)], "�"), limit)
}

// Cut returns a text, or its first bytes up to a limit and "…".
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
