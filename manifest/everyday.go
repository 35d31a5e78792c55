package manifest

import (
	"strings"
	"unicode/utf8"
)

// The everyday reader reads the front matter that most hooks have: lines of
// the form `key: value`, with at most one level of mapping below a key. It is
// a shortcut and nothing else: what it accepts is what the YAML parser would
// have made of it, offsets included (FuzzEveryday holds the two against each
// other), and whatever it is not sure of is left to the parser. Runs read
// every HOOK.md, and the parser takes some forty times as long.
type everyday struct {
	text  string // the front matter
	start int    // its offset in the file
	nodes []node // all that are made; never grows, so that pointers into it hold
}

// mostLines bounds what the everyday reader takes on.
const mostLines = 64

// everyday reports false if the front matter is for the YAML parser to read.
func (s *source) everyday() ([]entry, bool) {
	e := everyday{text: string(s.front()), start: s.start}
	lines := strings.Count(e.text, "\n")
	if lines == 0 || lines > mostLines {
		return nil, false
	}
	e.nodes = make([]node, 0, lines)
	entries, end, ok := e.mapping(0, make([]entry, 0, lines))
	return entries, ok && end == len(e.text) && len(entries) > 0
}

// mapping reads the lines from at on that have the indentation of the first
// one, and returns where they end.
func (e *everyday) mapping(at int, entries []entry) (_ []entry, end int, ok bool) {
	indent := indentation(e.text[at:])
	for at < len(e.text) {
		line, next := e.line(at)
		switch {
		case line == "": // a blank line
			at = next
			continue
		case indentation(line) < indent:
			return entries, at, true
		}
		key, value, ok := splitLine(line[indent:])
		if !ok || find(entries, key) != nil {
			return nil, 0, false
		}
		n, next, ok := e.value(value, at+len(line)-len(value), next, indent)
		if !ok {
			return nil, 0, false
		}
		entries = append(entries, entry{key, e.start + at + indent, n})
		at = next
	}
	return entries, at, true
}

// line returns the line at an offset, without its end, and where the next
// one begins.
func (e *everyday) line(at int) (line string, next int) {
	length := strings.IndexByte(e.text[at:], '\n')
	if length < 0 {
		return e.text[at:], len(e.text)
	}
	return strings.TrimSuffix(e.text[at:at+length], "\r"), at + length + 1
}

// value reads what stands behind a key, at an offset; next is the line after
// it, where a mapping may begin if nothing stands there.
func (e *everyday) value(text string, at, next, indent int) (*node, int, bool) {
	if text != "" {
		tag, text, ok := scalar(text)
		return e.node(node{tag: tag, text: text, offset: e.start + at}), next, ok
	}
	deeper := indentation(e.text[next:])
	if indent > 0 || deeper == 0 {
		return nil, 0, false
	}
	entries, end, ok := e.mapping(next, nil)
	return e.node(node{tag: "!!map", entries: entries, offset: e.start + next + deeper}), end, ok
}

func (e *everyday) node(n node) *node {
	e.nodes = append(e.nodes, n)
	return &e.nodes[len(e.nodes)-1]
}

func indentation(line string) int {
	return len(line) - len(strings.TrimLeft(line, " "))
}

// splitLine splits `key: value`; the value is "" if nothing but blanks
// follows the colon. Keys that need thought are refused.
func splitLine(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, ":")
	if !ok || key == "" || len(key) > 64 || !letter(key[0]) {
		return "", "", false
	}
	for i := range len(key) {
		if c := key[i]; !letter(c) && !digit(c) && c != '-' && c != '_' {
			return "", "", false
		}
	}
	trimmed := strings.TrimLeft(value, " ")
	return key, trimmed, trimmed == "" || len(trimmed) < len(value)
}

// scalar reads a value that stands on one line: a plain or quoted string
// without escapes, a decimal integer, true or false.
func scalar(text string) (tag, value string, ok bool) {
	text = strings.TrimRight(text, " ")
	if !printable(text) {
		return "", "", false
	}
	switch first := text[0]; {
	case first == '"' || first == '\'':
		inner, ok := unquoted(text)
		return "!!str", inner, ok
	case digit(first):
		return "!!int", text, decimal(text)
	case text == "true" || text == "false":
		return "!!bool", text, true
	case !letter(first) && strings.IndexByte(`^\(/$`, first) < 0:
		return "", "", false // it may mean something to YAML
	}
	return "!!str", text, plainString(text)
}

// unquoted takes a pair of quotes off that has none and no escapes within.
func unquoted(text string) (inner string, ok bool) {
	quote, last := text[0], len(text)-1
	if last < 1 || text[last] != quote {
		return "", false
	}
	inner = text[1:last]
	return inner, strings.IndexByte(inner, quote) < 0 && (quote == '\'' || strings.IndexByte(inner, '\\') < 0)
}

// plainString reports whether all of text is one string without quotes: no
// mapping, no comment, no other spelling of a boolean or of null.
func plainString(text string) bool {
	if strings.Contains(text, ": ") || strings.Contains(text, " #") || text[len(text)-1] == ':' {
		return false
	}
	return len(text) > len("false") ||
		!strings.EqualFold(text, "true") && !strings.EqualFold(text, "false") && !strings.EqualFold(text, "null")
}

// decimal reports whether text is an integer in its one plain spelling.
func decimal(text string) bool {
	if len(text) > 18 || text[0] == '0' && text != "0" {
		return false
	}
	for i := range len(text) {
		if !digit(text[i]) {
			return false
		}
	}
	return true
}

// printable refuses tabs, control characters, what YAML takes for a line end
// or a byte-order mark, and what is no character.
func printable(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' || c >= 0x7f {
			return c >= utf8.RuneSelf && printableRunes(text[i:])
		}
	}
	return true
}

func printableRunes(text string) bool {
	for _, r := range text {
		switch {
		case r < ' ', r >= 0x7f && r <= 0xa0:
			return false
		case r == '\u2028' || r == '\u2029' || r == '\ufeff' || r >= 0xfff0 && r <= 0xffff:
			return false
		}
	}
	return true
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }
