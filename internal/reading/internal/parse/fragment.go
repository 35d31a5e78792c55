package parse

import (
	"strings"
	"unicode/utf8"
)

// Fragments returns the parts of a text that does not parse, between separators outside quotes, and
// whether each one parses.
func Fragments(text string) (parts []string, parses []bool) {
	add := func(part string, ok bool) {
		if part != "" {
			parts, parses = append(parts, part), append(parses, ok)
		}
	}
	for _, part := range separated(text, ";&\n") {
		part = strings.TrimLeft(opened(part), "|& ")
		if part == "" || Parses(part) {
			add(part, true)
			continue
		}
		for _, part := range separated(part, "|") {
			part = opened(part)
			add(part, Parses(part))
		}
	}
	return parts, parses
}

// Scan returns the parts of a text between all separators outside quotes, in linear time.
func Scan(text string) (parts []string) {
	for _, part := range separated(text, ";&|\n(){}`") {
		part = opened(part)
		if part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// opened returns a part of a text without the words before a command, such as then and {.
func opened(part string) string {
	for {
		part = strings.TrimLeft(part, " \t\n(){}!")
		word, rest, _ := strings.Cut(part, " ")
		switch word {
		case "then", "do", "else", "elif", "if", "while", "until", "fi", "done", "esac", "time":
			part = rest
		default:
			return strings.TrimSpace(part)
		}
	}
}

// separated splits a text at characters outside quotes. A quote without an end is a character.
func separated(text, separators string) (parts []string) {
	begin := 0
	lastSingle, lastDouble := strings.LastIndexByte(text, '\''), strings.LastIndexByte(text, '"')
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '\'' && i < lastSingle:
			i += 1 + strings.IndexByte(text[i+1:], '\'')
		case c == '"' && i < lastDouble:
			if end := closing(text[i+1:]); end >= 0 {
				i += 1 + end
			} else {
				lastDouble = i
			}
		case strings.IndexByte(separators, c) >= 0:
			parts = append(parts, text[begin:i])
			begin = i + 1
		}
	}
	return append(parts, text[begin:])
}

// closing returns the index of the double quote that ends a text; -1 if there is none.
func closing(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// Bare returns a text without quotes and backslashes.
func Bare(text string) string {
	return strings.NewReplacer(`"`, "", "'", "", "`", "", `\`, "").Replace(text)
}

// Names returns everything in a text that may be the name of a variable.
func Names(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// SetsGlobs reports whether a text may set an option such as nocaseglob.
func SetsGlobs(text string) bool {
	return strings.Contains(text, "opt") && strings.Contains(strings.ReplaceAll(strings.ToLower(text), "_", ""), "glob")
}

// IsWrittenOnce reports whether a text has a variable's name only where it expands it, and in one
// assignment.
func IsWrittenOnce(text, name string) bool {
	for _, word := range [...]string{"eval", "source", ". ", "alias", "hash"} {
		if strings.Contains(text, word) {
			return false
		}
	}
	assigned := 0
	for rest, before := text, byte(' '); ; {
		at := strings.Index(rest, name)
		if at < 0 {
			return assigned == 1
		}
		if at > 0 {
			before = rest[at-1]
		}
		braced := before == '{' && at > 1 && rest[at-2] == '$'
		word := rest[:at][strings.LastIndexFunc(rest[:at], func(c rune) bool { return c >= utf8.RuneSelf || !IsNameByte(byte(c)) })+1:]
		option := strings.HasSuffix(rest[:at-len(word)], "-")
		rest = rest[at+len(name):]
		switch {
		case rest != "" && IsNameByte(rest[0]): // of another name
		case option && word == "", word != "" && !option: // likewise
		case before == '$':
		case braced:
			if strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, ":=") {
				return false
			}
		case strings.HasPrefix(rest, "=") && strings.IndexByte(" \n\t;&(", before) >= 0:
			assigned++
		default:
			return false
		}
		before = name[len(name)-1]
	}
}
