package rawjson

import (
	"bytes"
	"errors"
	"fmt"
)

// Scanner finds the end of the JSON object at the start of a growing buffer, so that a reader
// can stop at the closing brace even if the caller never closes its pipe (D20). It examines only
// strings and brackets; the decoder checks the rest. The zero Scanner is ready to use.
type Scanner struct {
	pos      int // first unread byte
	start    int // offset of the opening brace
	depth    int
	inString bool
	begun    bool
}

// ErrNoObject is returned if the input is not a JSON object.
var ErrNoObject = errors.New("not a JSON object")

// End returns the span of the object in buf. done is false until buf contains
// its end. buf must begin with the bytes of the previous call. The error wraps
// ErrNoObject if buf cannot become an object. Leading white space and a
// byte-order mark are skipped.
func (s *Scanner) End(buf []byte) (start, end int, done bool, err error) {
	if !s.begun {
		if ok, err := s.begin(buf); !ok || err != nil {
			return 0, 0, false, err
		}
	}
	for s.pos < len(buf) {
		if s.inString {
			end := StringEnd(buf, s.pos)
			if end < 0 {
				s.pos = len(buf)
				break
			}
			s.pos, s.inString = end, false
			continue
		}
		switch buf[s.pos] {
		case '"':
			s.inString = true
		case '{', '[':
			s.depth++
		case '}', ']':
			s.depth--
		}
		s.pos++
		if s.depth == 0 {
			return s.start, s.pos, true, nil
		}
	}
	return s.start, 0, false, nil
}

// Begun reports whether the opening brace has been seen.
func (s *Scanner) Begun() bool { return s.begun }

// ByteOrderMark is the UTF-8 byte-order mark, which is skipped at the start of a document.
var ByteOrderMark = []byte("\xef\xbb\xbf")

func (s *Scanner) begin(buf []byte) (ok bool, err error) {
	i := 0
	if bytes.HasPrefix(buf, ByteOrderMark) {
		i = len(ByteOrderMark)
	} else if len(buf) < len(ByteOrderMark) && bytes.HasPrefix(ByteOrderMark, buf) {
		return false, nil
	}
	i = SkipSpace(buf, i)
	if i == len(buf) {
		return false, nil
	}
	if buf[i] != '{' {
		return false, fmt.Errorf("%w: it begins with %q", ErrNoObject, buf[i:min(i+20, len(buf))])
	}
	s.begun, s.start, s.pos = true, i, i
	return true, nil
}

// StringEnd returns the offset after the first quote at or after i that is not
// escaped, or -1. It counts the backslashes before a quote, so i may be anywhere after the
// opening quote.
func StringEnd(buf []byte, i int) int {
	for {
		q := bytes.IndexByte(buf[i:], '"')
		if q < 0 {
			return -1
		}
		i += q
		slashes := 0
		for j := i - 1; j >= 0 && buf[j] == '\\'; j-- {
			slashes++
		}
		i++
		if slashes%2 == 0 {
			return i
		}
	}
}

// SkipSpace returns the offset of the first byte at or after i that is not white space.
func SkipSpace(buf []byte, i int) int {
	for i < len(buf) && IsSpace(buf[i]) {
		i++
	}
	return i
}

// IsSpace reports whether c is JSON white space.
func IsSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }
