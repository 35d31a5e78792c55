package rawjson

import (
	"bytes"
	"errors"
	"strings"
	"unsafe"
)

// ErrUndecodable is the error for a malformed value.
var ErrUndecodable = errors.New("cannot be decoded as JSON")

// Kind is the kind of a JSON value.
type Kind byte

// The kinds. Invalid is not a JSON value.
const (
	Invalid Kind = iota
	Object
	Array
	String
	Number
	Bool
	Null
)

// KindOf identifies strings, objects and arrays by their first byte only.
func KindOf(value []byte) Kind {
	if len(value) == 0 {
		return Invalid
	}
	switch c := value[0]; {
	case c == '{':
		return Object
	case c == '[':
		return Array
	case c == '"':
		return String
	case c == '-' || isDigit(c):
		if isNumber(value) {
			return Number
		}
		return Invalid
	}
	switch string(value[:min(len(value), 6)]) {
	case "true", "false":
		return Bool
	case "null":
		return Null
	}
	return Invalid
}

// ValueEnd returns the offset after the value that begins at i, or -1. It
// counts brackets without matching them, so depth uses no memory.
func ValueEnd(buf []byte, i int) int {
	depth := 0
	for i < len(buf) {
		switch c := buf[i]; {
		case c == '"':
			i = StringEnd(buf, i+1)
			if i < 0 {
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
	for i < len(buf) && !IsSpace(buf[i]) && bytes.IndexByte([]byte(`,]}":{[`), buf[i]) < 0 {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

// Each calls visit for each member of the object value, or each element of
// the array value. key is the key's JSON text, nil in an array. It stops when
// visit returns false. It returns ErrUndecodable if the top level of value is
// malformed.
func Each(value []byte, visit func(key, element []byte) bool) error {
	object := KindOf(value) == Object
	if len(value) < 2 || value[len(value)-1] != Closing(value[0]) {
		return ErrUndecodable
	}
	last := len(value) - 1
	i := SkipSpace(value, 1)
	for i < last {
		var key []byte
		if object {
			key, i = MemberKey(value, i)
			if i < 0 {
				return ErrUndecodable
			}
		}
		end := ValueEnd(value[:last], i)
		if end < 0 || KindOf(value[i:end]) == Invalid {
			return ErrUndecodable
		}
		if !visit(key, value[i:end]) {
			return nil
		}
		i = SkipSpace(value, end)
		if i < last {
			if value[i] != ',' {
				return ErrUndecodable
			}
			i = SkipSpace(value, i+1)
			if i >= last {
				return ErrUndecodable
			}
		}
	}
	return nil
}

// Closing returns the bracket that closes open.
func Closing(open byte) byte {
	if open == '{' {
		return '}'
	}
	return ']'
}

// MemberKey returns the key that begins at i and the offset of its value, -1 if
// there is no key.
func MemberKey(buf []byte, i int) (key []byte, value int) {
	if buf[i] != '"' {
		return nil, -1
	}
	end := StringEnd(buf, i+1)
	if end < 0 {
		return nil, -1
	}
	colon := SkipSpace(buf, end)
	if colon >= len(buf) || buf[colon] != ':' {
		return nil, -1
	}
	return buf[i:end], SkipSpace(buf, colon+1)
}

// Text decodes a JSON string; ok is false if it cannot be decoded.
func Text(value []byte) (s string, ok bool) {
	if StringTokenEnd(value, 0) != len(value) {
		return "", false
	}
	return Decode(value), true
}

// Decode decodes a string that StringTokenEnd has accepted, with one copy. See Unquote.
func Decode(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	decoded := Unquote(quoted)
	return unsafe.String(unsafe.SliceData(decoded), len(decoded)) // nothing else refers to the bytes
}

// KeyName decodes an object's key; nil if it cannot be decoded.
func KeyName(key []byte) []byte {
	if StringTokenEnd(key, 0) != len(key) {
		return nil
	}
	return Unquote(key)
}

// AppendQuoted appends s as a JSON string. It escapes only quotes, backslashes
// and control characters (D18).
func AppendQuoted[T string | []byte](dst []byte, s T) []byte {
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

// ToValid returns s with every invalid byte replaced, so that it is valid in
// JSON.
func ToValid(s string) string {
	return strings.ToValidUTF8(s, "\ufffd")
}

// Offset returns the offset of part, a slice of whole.
func Offset(whole, part []byte) int {
	if cap(part) == 0 { // at the end of whole, where it has no address of its own
		return len(whole)
	}
	return int(uintptr(unsafe.Pointer(unsafe.SliceData(part))) - uintptr(unsafe.Pointer(unsafe.SliceData(whole))))
}
