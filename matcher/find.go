package matcher

import (
	"time"
	"unicode/utf8"
)

// Find returns where source is first found in text, in bytes. ok is false if
// it is not, does not compile, or is not decided by the deadline. It is for
// what is said about a match; what matches, Match decides.
func Find(source, text string, deadline time.Time) (begin, end int, ok bool) {
	defer func() {
		if recover() != nil {
			begin, end, ok = 0, 0, false
		}
	}()
	left := time.Until(deadline)
	e, err := compileEngine("", source)
	if err != nil || left <= 0 || len(text) > MaxSearched {
		return 0, 0, false
	}
	e.engine.MatchTimeout = left
	m, err := e.engine.FindStringMatch(text)
	if err != nil || m == nil {
		return 0, 0, false
	}
	begin = byteOffset(text, m.Index)
	return begin, begin + byteOffset(text[begin:], m.Length), true
}

// byteOffset is where the n-th character of text begins.
func byteOffset(text string, n int) (offset int) {
	for ; n > 0 && offset < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[offset:])
		offset += size
	}
	return offset
}
