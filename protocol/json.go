package protocol

import (
	"bytes"
	"errors"
	"strings"
)

// The decoder of this package walks the caller's bytes instead of building a
// tree. Keys must be exact and all values of a repeated key count (D18), which
// encoding/json does not support, and a large event must not be copied.

var errUndecodable = errors.New("cannot be decoded as JSON")

// kind is the kind of a JSON value.
type kind byte

const (
	kindInvalid kind = iota
	kindObject
	kindArray
	kindString
	kindNumber
	kindBool
	kindNull
)

// kindOf identifies strings, objects and arrays by their first byte only.
func kindOf(value []byte) kind {
	if len(value) == 0 {
		return kindInvalid
	}
	switch c := value[0]; {
	case c == '{':
		return kindObject
	case c == '[':
		return kindArray
	case c == '"':
		return kindString
	case c == '-' || isDigit(c):
		if isNumber(value) {
			return kindNumber
		}
		return kindInvalid
	}
	switch string(value[:min(len(value), 6)]) {
	case "true", "false":
		return kindBool
	case "null":
		return kindNull
	}
	return kindInvalid
}

// valueEnd returns the offset after the value that begins at i, or -1. It
// counts brackets without matching them, so depth uses no memory.
func valueEnd(buf []byte, i int) int {
	depth := 0
	for i < len(buf) {
		switch c := buf[i]; {
		case c == '"':
			if i = stringEnd(buf, i+1); i < 0 {
				return -1
			}
		case c == '{' || c == '[':
			depth++
			i++
		case c == '}' || c == ']':
			depth--
			i++
		case depth == 0:
			return scalarEnd(buf, i)
		default:
			i++
		}
		if depth <= 0 {
			return i
		}
	}
	return -1
}

func scalarEnd(buf []byte, i int) int {
	start := i
	for i < len(buf) && !isSpace(buf[i]) && bytes.IndexByte([]byte(`,]}":{[`), buf[i]) < 0 {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

// elements calls visit for each member of the object value, or each element of
// the array value. key is the key's JSON text, nil in an array. It stops when
// visit returns false. It returns errUndecodable if the top level of value is
// malformed.
func elements(value []byte, visit func(key, element []byte) bool) error {
	object := kindOf(value) == kindObject
	if len(value) < 2 || value[len(value)-1] != closing(value[0]) {
		return errUndecodable
	}
	last := len(value) - 1
	i := skipSpace(value, 1)
	for i < last {
		var key []byte
		if object {
			if key, i = memberKey(value, i); i < 0 {
				return errUndecodable
			}
		}
		end := valueEnd(value[:last], i)
		if end < 0 || kindOf(value[i:end]) == kindInvalid {
			return errUndecodable
		}
		if !visit(key, value[i:end]) {
			return nil
		}
		i = skipSpace(value, end)
		if i < last {
			if value[i] != ',' {
				return errUndecodable
			}
			if i = skipSpace(value, i+1); i >= last {
				return errUndecodable
			}
		}
	}
	return nil
}

func closing(open byte) byte {
	if open == '{' {
		return '}'
	}
	return ']'
}

// memberKey returns the key that begins at i and the offset of its value, -1 if
// there is no key.
func memberKey(buf []byte, i int) (key []byte, value int) {
	if buf[i] != '"' {
		return nil, -1
	}
	end := stringEnd(buf, i+1)
	if end < 0 {
		return nil, -1
	}
	colon := skipSpace(buf, end)
	if colon >= len(buf) || buf[colon] != ':' {
		return nil, -1
	}
	return buf[i:end], skipSpace(buf, colon+1)
}

// text decodes a JSON string; ok is false if it cannot be decoded.
func text(value []byte) (s string, ok bool) {
	if stringTokenEnd(value, 0) != len(value) {
		return "", false
	}
	return string(unquote(value)), true
}

// keyName decodes an object's key; nil if it cannot be decoded.
func keyName(key []byte) []byte {
	if stringTokenEnd(key, 0) != len(key) {
		return nil
	}
	return unquote(key)
}

// appendQuoted appends s as a JSON string. It escapes only quotes, backslashes
// and control characters (D18).
func appendQuoted[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	plain := 0 // start of the text that is not yet appended
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' {
			dst = appendEscape(append(dst, s[plain:i]...), c)
			plain = i + 1
		}
	}
	return append(append(dst, s[plain:]...), '"')
}

func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// valid returns s with every invalid byte replaced, so that it is valid in
// JSON.
func valid(s string) string {
	return strings.ToValidUTF8(s, "\ufffd")
}
