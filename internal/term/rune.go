package term

import (
	"unicode"

	"golang.org/x/text/width"
)

// RuneWidth returns the columns of r: 2 for an ideograph, 0 for a character that combines with
// the previous one, otherwise 1.
func RuneWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), 0x1160 <= r && r <= 0x11ff: // vowels and finals join a Hangul syllable
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
