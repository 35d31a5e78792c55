package manifest

import (
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// inline reads a value that fills the rest of its line up to a comment: a
// scalar, or a list or mapping of scalars in brackets. A string in double quotes may
// continue in lines that are indented by more than depth; not if depth is negative.
func (e *everyday) inline(text string, depth int) (*tree.Node, bool) {
	if text == "" {
		return nil, false
	}
	n, at := (*tree.Node)(nil), e.at(text)
	switch text[0] {
	case '[':
		n, text = e.flow(text[1:], ']')
	case '{':
		n, text = e.flow(text[1:], '}')
	case '"', '\'':
		n, text = e.quoted(text, depth)
	default:
		if at := strings.Index(text, " #"); at >= 0 {
			text = text[:at]
		}
		return e.plain(strings.TrimRight(text, " "), at)
	}
	trimmed := strings.TrimLeft(text, " ")
	return n, n != nil && (trimmed == "" || trimmed[0] == '#' && len(trimmed) < len(text)) // a comment follows a space
}

// flow reads a list or mapping of scalars up to its closing bracket, and
// returns the remaining text; nil if it holds anything else.
func (e *everyday) flow(text string, end byte) (n *tree.Node, rest string) {
	n = e.node(tree.List, "", e.at(text)-1)
	if end == '}' {
		n.Tag = tree.Mapping
	}
	for text = strings.TrimLeft(text, " "); text != "" && text[0] != end; {
		key, offset := "", e.at(text)
		if end == '}' {
			var ok bool
			key, text, ok = strings.Cut(text, ": ")
			if !ok || !isKey(key) || n.Member(key) != nil {
				return nil, ""
			}
			text = strings.TrimLeft(text, " ")
		}
		item, after := e.flowScalar(text)
		if item == nil {
			return nil, ""
		}
		item.Key, item.Begin = key, offset
		n.Children = append(n.Children, item)
		text = strings.TrimLeft(after, " ")
		if text == "" || text[0] != ',' && text[0] != end || len(n.Children) > everydayNodes/4 {
			return nil, ""
		}
		if text[0] == ',' {
			text = strings.TrimLeft(text[1:], " ")
			if text == "" || text[0] == end {
				return nil, "" // a comma before the bracket
			}
		}
	}
	if text == "" {
		return nil, ""
	}
	return n, text[1:]
}

// flowScalar reads one value within brackets, and returns the remaining text.
func (e *everyday) flowScalar(text string) (*tree.Node, string) {
	if text == "" {
		return nil, ""
	}
	if text[0] == '"' || text[0] == '\'' {
		return e.quoted(text, -1)
	}
	end := 0
	for end < len(text) && flowWord(text[end]) {
		end++
	}
	n, ok := e.plain(strings.TrimRight(text[:end], " "), e.at(text))
	if !ok {
		return nil, ""
	}
	return n, text[end:]
}

// flowWord reports whether a byte is part of a plain word within brackets.
func flowWord(c byte) bool {
	return letter(c) || digit(c) || strings.IndexByte(`-_./ ;^()|$\+*'`, c) >= 0
}

// quoted reads a quoted string, and returns the remaining text; nil if it does
// not end on this line, except by an escaped line break, or has an escape other than
// \\ \" \n and \t.
func (e *everyday) quoted(text string, depth int) (n *tree.Node, rest string) {
	quote, at := text[0], e.at(text)
	plain := 1 + strings.IndexByte(text[1:], quote)
	if plain > 0 && strings.IndexByte(text[1:plain], '\\') < 0 && !strings.HasPrefix(text[plain+1:], "'") {
		return e.node(tree.String, text[1:plain], at), text[plain+1:]
	}
	e.quote = e.quote[:0]
	for text = text[1:]; ; {
		next := strings.IndexByte(text, quote)
		if quote == '"' {
			before := text
			if next >= 0 {
				before = text[:next]
			}
			if escape := strings.IndexByte(before, '\\'); escape >= 0 {
				next = escape
			}
		}
		if next < 0 {
			return nil, ""
		}
		e.quote = append(e.quote, text[:next]...)
		c := text[next]
		text = text[next+1:]
		switch {
		case c == quote && quote == '\'' && strings.HasPrefix(text, "'"):
			text = text[1:]
		case c == quote:
			return e.node(tree.String, string(e.quote), at), text
		case quote == '\'':
		case text == "":
			var ok bool
			text, ok = e.continued(depth)
			if !ok {
				return nil, ""
			}
			continue
		default:
			escape := strings.IndexByte(`\"nt`, text[0])
			if escape < 0 {
				return nil, ""
			}
			c = "\\\"\n\t"[escape]
			text = text[1:]
		}
		e.quote = append(e.quote, c)
	}
}

// plain reads an unquoted scalar that begins at offset.
func (e *everyday) plain(text string, offset int) (*tree.Node, bool) {
	if text == "" {
		return nil, false
	}
	switch first := text[0]; {
	case digit(first):
		tag := number(text)
		return e.node(tag, text, offset), tag != ""
	case text == "true" || text == "false":
		return e.node(tree.Bool, text, offset), true
	case !letter(first) && first < utf8.RuneSelf && strings.IndexByte(`^\(/$`, first) < 0:
		return nil, false // it may be syntax
	}
	isMapping := strings.IndexByte(text, ':') >= 0 && (strings.Contains(text, ": ") || text[len(text)-1] == ':')
	isWord := len(text) <= len("false") && (strings.EqualFold(text, "true") || strings.EqualFold(text, "false") || strings.EqualFold(text, "null"))
	return e.node(tree.String, text, offset), !isMapping && !isWord
}

// number returns the tag of text that begins with a digit: an integer in its
// canonical form, a fraction, or a version of three parts; "" for anything
// else.
func number(text string) string {
	dots := 0
	for i := range len(text) {
		switch {
		case digit(text[i]):
		case text[i] == '.' && text[i-1] != '.' && i+1 < len(text):
			dots++
		default:
			return ""
		}
	}
	if len(text) > 18 || text[0] == '0' && len(text) > 1 && text[1] != '.' {
		return ""
	}
	switch dots {
	case 0:
		return tree.Int
	case 1:
		return tree.Float
	case 2:
		return tree.String
	}
	return ""
}
