package trust

import (
	"errors"
	"strings"
	"unicode/utf8"
)

const hexDigits = "0123456789ABCDEF"

// encodePath encodes a path so that JSON and a line of text preserve all its bytes: a percent
// sign and two hexadecimal digits replace each byte of invalid UTF-8 and each character that
// JSON or a line cannot contain unescaped.
func encodePath(s string) string {
	plain := func(r rune) bool { return r >= ' ' && r != 0x7f && !strings.ContainsRune("%\"\\<>&\u2028\u2029", r) }
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if plain(r) && (r != utf8.RuneError || n > 1) {
			b.WriteString(s[i : i+n])
		} else {
			for _, c := range []byte(s[i : i+n]) {
				b.Write([]byte{'%', hexDigits[c>>4], hexDigits[c&15]})
			}
		}
		i += n
	}
	return b.String()
}

var errEncoding = errors.New("has a path with an unknown encoding")

// decodePath is the inverse of encodePath.
func decodePath(s string) (string, error) {
	if !strings.Contains(s, "%") {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if len(s)-i < 3 {
			return "", errEncoding
		}
		high, low := strings.IndexByte(hexDigits, s[i+1]), strings.IndexByte(hexDigits, s[i+2])
		if high < 0 || low < 0 {
			return "", errEncoding
		}
		b.WriteByte(byte(high<<4 | low))
		i += 2
	}
	return b.String(), nil
}
