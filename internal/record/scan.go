package record

import "strings"

// scanner finds where values end. It records which quotes are open in the line, as the bits of
// quoteBit.
type scanner struct {
	text string
	at   int
	open uint32
}

// advance moves the scanner forward to index to.
func (s *scanner) advance(to int) {
	for ; s.at < to; s.at++ {
		quote := quoteBit(s.text, s.at)
		switch c := s.text[s.at]; {
		case c == '\n':
			s.open = 0
		case c == '\'' && s.open&quote == 0 && s.at > 0 && isAlnum(s.text[s.at-1]): // an apostrophe
		default:
			s.open ^= quote
		}
	}
}

const quotes = "\"'`"

// quoteBit returns a bit for the quote at index at and the backslashes before it, as the text
// around it may be quoted itself; 0 if there is no quote.
func quoteBit(text string, at int) uint32 {
	kind := strings.IndexByte(quotes, text[at])
	if kind < 0 {
		return 0
	}
	level := at - len(strings.TrimRight(text[:at], `\`))
	return 1 << (8*kind + min(level*(level%2), 7)) // an even number escapes itself
}

// closing returns the offset after the quote that closes the one at index at.
func closing(text string, at int) int {
	quote := quoteBit(text, at)
	for i := at + 1; i < len(text); i++ {
		if quoteBit(text, i) == quote {
			return i + 1
		}
	}
	return len(text)
}

// maxList is the maximum length of a list, so that the time stays linear in the text.
const maxList = 4 << 10

var (
	// list matches a list that may contain lists.
	list = pattern{text: `^[\[{](?:[^\[\]{}]|[\[{](?:[^\[\]{}]|[\[{](?:[^\[\]{}]|[\[{][^\]}]*[\]}]?)*[\]}]?)*[\]}]?)*[\]}]?`}

	// unquoted matches a part of a word without quotes, noValue the text after a quote that closes
	// rather than opens a value.
	unquoted = pattern{text: "^(?:[^\\s;&|<>()\"'`\\\\]|\\\\+[^\\\\\"'`])*"}
	noValue  = pattern{text: `^(?:[\s,;:&|)\]}\\]|[.?!]\s|$)`}
)

// wordEnd returns the end of a shell word, which may have quoted parts, or of a list.
func (s *scanner) wordEnd(from int) int {
	text := s.text
	at := from + len(list.get().FindString(text[from:min(len(text), from+maxList)]))
	for at < len(text) {
		if at > from && strings.IndexByte(",}]", text[at]) >= 0 && strings.IndexByte(quotes+"]}", text[at-1]) >= 0 {
			break
		}
		at += len(unquoted.get().FindString(text[at:]))
		quote := len(text) - len(strings.TrimLeft(text[at:], `\`))
		if quote == len(text) || quoteBit(text, quote) == 0 {
			break
		}
		if s.open&quoteBit(text, quote) != 0 && (at > from || noValue.get().MatchString(text[quote+1:])) {
			return at
		}
		at = closing(text, quote)
	}
	return from + len(strings.TrimRight(text[from:at], ","))
}

// elementEnd returns the end of the text in an XML element.
func (s *scanner) elementEnd(from int) int {
	text, _, _ := strings.Cut(s.text[from:], "<")
	return from + len(text)
}

// maxIndent is the maximum length of text before a name that is examined, so that the time stays
// linear in the text.
const maxIndent = 2 << 10

// endAfterColon returns how to find the end of a value after the name text[from:to] and a colon,
// as in YAML and headers.
func (s *scanner) endAfterColon(from, to, begin int, kind string) func(int) int {
	before := s.text[max(0, from-maxIndent):from]
	before = before[strings.LastIndexByte(before, '\n')+1:] // in its line
	header := kind == "authorization" || kind == "cookie"
	alone := strings.Trim(before, " \t-\"'") == ""
	value := strings.TrimLeft(s.text[begin:], `\`)
	first := value[:min(1, len(value))]
	quoted := strings.IndexByte(`\`+quotes, s.text[to]) >= 0
	switch {
	case first == "|" || first == ">":
		return func(from int) int { return s.blockEnd(from, len(before)) }
	case !quoted && (header || alone && !strings.ContainsAny(first, quotes+"[{")):
		return s.lineEnd
	}
	return s.wordEnd
}

// blockEnd returns the end of a YAML block: the lines that are indented more than its name.
func (s *scanner) blockEnd(from, indent int) int {
	at := from
	for line := range strings.Lines(s.text[from:]) {
		text := strings.TrimLeft(line, " \t")
		if at > from && strings.TrimSpace(text) != "" && len(line)-len(text) <= indent {
			return at - 1 // before the newline
		}
		at += len(line)
	}
	return at
}

// lineStop matches a quote, a continued line, the end of a line, and the beginning of the next
// shell command.
var lineStop = pattern{text: "\\\\*[\"'`]|\\\\\\r?\\n|[\\r\\n]| (?:&&|\\|\\|?|;) "}

// lineEnd returns the end of a value that may contain spaces: that of the line or of the
// enclosing quote, or the beginning of the next shell command.
func (s *scanner) lineEnd(at int) int {
	for {
		stop := lineStop.get().FindStringIndex(s.text[at:])
		if stop == nil {
			return len(s.text)
		}
		quote, continued := quoteBit(s.text, at+stop[1]-1), s.text[at+stop[0]] == '\\'
		if quote&s.open != 0 || quote == 0 && !continued {
			return at + stop[0]
		}
		at += stop[1]
	}
}
