package shown

import (
	"strconv"
	"unicode/utf8"
)

// Quote quotes a value, or the beginning of a long one.
func Quote(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return strconv.Quote(s)
}
