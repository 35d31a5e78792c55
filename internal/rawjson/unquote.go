package rawjson

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Unquote decodes a string that StringTokenEnd has accepted, without a copy if
// it has no escapes. An unpaired surrogate becomes U+FFFD.
func Unquote(quoted []byte) []byte {
	rest := quoted[1 : len(quoted)-1]
	i := bytes.IndexByte(rest, '\\')
	if i < 0 {
		return rest
	}
	s := make([]byte, 0, len(rest))
	for ; i >= 0; i = bytes.IndexByte(rest, '\\') {
		s = append(s, rest[:i]...)
		rest = rest[i:]
		if rest[1] != 'u' {
			s = append(s, unescape(rest[1]))
			rest = rest[2:]
			continue
		}
		r, n := unescapeRune(rest)
		s = utf8.AppendRune(s, r)
		rest = rest[n:]
	}
	return append(s, rest...)
}

func unescape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// unescapeRune decodes the \u escape, or the surrogate pair of escapes, at the
// start of b and returns its length.
func unescapeRune(b []byte) (r rune, n int) {
	r = hexRune(b[2:6])
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
		if pair := utf16.DecodeRune(r, hexRune(b[8:12])); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

func hexRune(digits []byte) (r rune) {
	for _, c := range digits {
		if isDigit(c) {
			c -= '0'
		} else {
			c = c | 0x20 - 'a' + 10
		}
		r = r<<4 | rune(c)
	}
	return r
}

// Exact reports whether every decoder reads the same text in a JSON value: it is
// valid UTF-8, and each surrogate in an escape is part of a pair. Others are
// replaced, removed or rejected, depending on the decoder.
func Exact(value []byte) bool {
	if !utf8.Valid(value) {
		return false
	}
	for i := bytes.IndexByte(value, '\\'); i >= 0; i = bytes.IndexByte(value, '\\') {
		n := escapeLen(value[i:])
		if n == 6 {
			var r rune
			r, n = unescapeRune(value[i:])
			if r == utf8.RuneError && utf16.IsSurrogate(hexRune(value[i+2:i+6])) {
				return false
			}
		}
		if n == 0 {
			return false
		}
		value = value[i+n:]
	}
	return true
}
