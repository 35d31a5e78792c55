package parse

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// IsNameByte reports whether a byte may be in the name of a variable.
func IsNameByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// unquoted returns text outside quotes without its backslashes.
func unquoted(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			i++
			if text[i] == '\n' {
				continue
			}
			c = text[i]
		}
		b.WriteByte(c)
	}
	return b.String()
}

// Escapes of double quotes and of here-documents.
const (
	InQuotes       = "$`\"\\"
	InHereDocument = "$`\\"
)

// Unescaped removes the backslashes before the characters in escaped.
func Unescaped(text, escaped string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			switch next := text[i+1]; {
			case next == '\n':
				i++
				continue
			case strings.IndexByte(escaped, next) >= 0:
				i++
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// NoControl is the cause of a note on a text that Single returns incomplete.
const NoControl = "it has an escape \\c in $'...'"

// Single returns the text in single quotes. complete is false if it has an escape whose value is not
// read.
func Single(p *syntax.SglQuoted) (text string, complete bool) {
	if !p.Dollar {
		return p.Value, true
	}
	return ansi(p.Value)
}

// ansi decodes the escapes of $'...'.
func ansi(text string) (value string, complete bool) {
	const letters, values = `abeEfnrtv\'"?`, "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"
	complete = true
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		c := text[i]
		if at := strings.IndexByte(letters, c); at >= 0 {
			b.WriteByte(values[at])
			continue
		}
		digits, base, skip := 0, 16, 1
		switch {
		case c == 'x':
			digits = 2
		case c == 'u':
			digits = 4
		case c == 'U':
			digits = 8
		case '0' <= c && c <= '7':
			digits, base, skip = 3, 8, 0
		case c == 'c':
			complete = false
		}
		n, end := number(text[i+skip:], base, digits)
		switch {
		case digits == 0 || end == 0:
			b.WriteByte('\\')
			b.WriteByte(c)
			continue
		case n == 0:
			return b.String(), complete // bash ends the text here
		case c == 'u' || c == 'U':
			b.WriteRune(rune(min(n, utf8.MaxRune+1)))
		default:
			b.WriteByte(byte(n))
		}
		i += skip + end - 1
	}
	return b.String(), complete
}

// number reads at most maxDigits digits.
func number(text string, base, maxDigits int) (n, end int) {
	for end < len(text) && end < maxDigits {
		d, err := strconv.ParseUint(text[end:end+1], base, 8)
		if err != nil {
			break
		}
		n = n*base + int(d)
		end++
	}
	return n, end
}

// Set returns the length of the plain set at the beginning of a text, such as [a-z]; 0 if there is
// none.
func Set(text string) int {
	end := strings.IndexByte(text, ']')
	if end < 2 || strings.ContainsAny(text[1:end], `[/\!^`) {
		return 0
	}
	return end + 1
}
