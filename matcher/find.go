package matcher

import (
	"time"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/spec"
)

// Find returns the first match of source in text, as byte offsets. ok is false
// if there is no match, if source does not compile, or if the search is not
// finished by the deadline. It is for messages about a match; Match decides
// what matches.
func Find(source, text string, deadline time.Time) (begin, end int, ok bool) {
	defer func() {
		if recover() != nil {
			begin, end, ok = 0, 0, false
		}
	}()
	left := time.Until(deadline)
	e, err := compileEngine("", source)
	if err != nil || left <= 0 || len(text) > spec.MaxSearched {
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

// byteOffset returns the byte offset of the n-th character of text.
func byteOffset(text string, n int) (offset int) {
	for ; n > 0 && offset < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[offset:])
		offset += size
	}
	return offset
}
