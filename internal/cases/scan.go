package cases

import (
	"bytes"
	"strings"
)

// scanYAML finds the end of a value that begins at begin. It knows quotes,
// brackets and plain words.
func scanYAML(all []byte, begin int, inFlow bool) (end int, ok bool) {
	if begin >= len(all) {
		return 0, false
	}
	switch c := all[begin]; c {
	case '"', '\'':
		return scanQuoted(all, begin)
	case '{', '[':
		return scanBrackets(all, begin)
	case '|', '>', '&', '*', '!', '\n', '\r', '#':
		return 0, false
	}
	for end = begin; end < len(all) && all[end] != '\n' && all[end] != '\r'; end++ {
		if inFlow && strings.IndexByte(",]}", all[end]) >= 0 || all[end] == '#' && end > begin && all[end-1] == ' ' {
			break
		}
	}
	return begin + len(bytes.TrimRight(all[begin:end], " \t")), true
}

func scanQuoted(all []byte, begin int) (end int, ok bool) {
	for i := begin + 1; i < len(all); i++ {
		switch {
		case all[i] == '\\' && all[begin] == '"':
			i++
		case all[i] == all[begin] && all[begin] == '\'' && i+1 < len(all) && all[i+1] == '\'':
			i++
		case all[i] == all[begin]:
			return i + 1, true
		}
	}
	return 0, false
}

func scanBrackets(all []byte, begin int) (end int, ok bool) {
	depth := 0
	for i := begin; i < len(all); i++ {
		switch all[i] {
		case '"', '\'':
			closing, ok := scanQuoted(all, i)
			if !ok {
				return 0, false
			}
			i = closing - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, true
			}
		}
	}
	return 0, false
}
