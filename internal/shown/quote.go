package shown

import (
	"strconv"
	"unicode/utf8"
)

// Quote quotes a value, shortened to its first 60 characters.
func Quote(s string) string {
	const limit = 60
	if utf8.RuneCountInString(s) > limit {
		s = string([]rune(s)[:limit]) + "…"
	}
	return strconv.Quote(s)
}
