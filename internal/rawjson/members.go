package rawjson

import (
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// EscapeInvisible escapes the characters outside ASCII in a JSON text that are
// not printable, such as C1 controls and those that change the direction of
// text: whoever prints the JSON would pass them to a terminal.
func EscapeInvisible(text []byte) []byte {
	var out []byte
	plain := 0 // start of the text that is not yet appended
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		if r > '~' && !unicode.IsPrint(r) && (r != utf8.RuneError || size > 1) {
			out = appendRune(append(out, text[plain:i]...), r)
			plain = i + size
		}
		i += size
	}
	if plain == 0 {
		return text
	}
	return append(out, text[plain:]...)
}

// appendRune appends the escape of a character.
func appendRune(dst []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	if r > 0xffff {
		first, second := utf16.EncodeRune(r)
		return appendRune(appendRune(dst, first), second)
	}
	return append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// Members calls visit for each member of the JSON object value, in order and
// including repeated keys, until visit returns false. key is decoded; member is
// the value's JSON text. It returns an error if the top level of the object is
// malformed. It does not check the members' values.
func Members(value []byte, visit func(key string, member []byte) bool) error {
	if KindOf(value) != Object {
		return ErrUndecodable
	}
	badKey := false
	err := Each(value, func(keyText, member []byte) bool {
		key := KeyName(keyText)
		badKey = key == nil
		if badKey {
			return false
		}
		return visit(string(key), member)
	})
	if badKey {
		return ErrUndecodable
	}
	return err
}

// Elements calls visit for each element of the JSON array value until visit
// returns false. It returns an error if value is not a well-formed array.
func Elements(value []byte, visit func(element []byte) bool) error {
	if KindOf(value) != Array {
		return ErrUndecodable
	}
	return Each(value, func(_, element []byte) bool { return visit(element) })
}

// AppendText appends s as a JSON string. Invalid UTF-8 is replaced.
func AppendText(dst []byte, s string) []byte { return AppendQuoted(dst, ToValid(s)) }

// Valid reports whether raw is exactly one JSON value, of any depth.
func Valid(raw []byte) bool {
	begin := SkipSpace(raw, 0)
	w := Walker{Buf: raw}
	end := w.Value(begin)
	return end >= 0 && SkipSpace(raw, end) == len(raw)
}
