package record

import (
	"cmp"
	"slices"
	"strings"
)

// span is a secret in a text.
type span struct {
	from, to int
	kind     string
}

// markStart and markEnd enclose the kind of a removed secret.
const markStart, markEnd = "[redacted:", "]"

func mark(kind string) string { return markStart + kind + markEnd }

// isMark reports whether text is a result of mark.
func isMark(text string) bool {
	kind, ok := strings.CutPrefix(text, markStart)
	kind, closed := strings.CutSuffix(kind, markEnd)
	return ok && closed && kind != "" && strings.Trim(kind, "abcdefghijklmnopqrstuvwxyz-") == ""
}

// mostPasses is the maximum number of scans of a text: removing a secret may turn the text
// around it into a name.
const mostPasses = 4

// Text removes parts that look like secrets from a text, and returns their kinds in order. Text
// is idempotent.
func Text(text string) (string, []string) {
	var kinds []string
	for range mostPasses {
		spans := findSecrets(text)
		if len(spans) == 0 {
			return text, kinds
		}
		var b strings.Builder
		at := 0
		for _, s := range spans {
			if s.from >= at { // it does not continue the one before
				b.WriteString(text[at:s.from] + mark(s.kind))
				kinds = append(kinds, s.kind)
			}
			at = max(at, s.to)
		}
		b.WriteString(text[at:])
		text = b.String()
	}
	return mark("secret"), append(kinds, "secret")
}

// findSecrets returns the secrets in a text in order: armor, prefixes, and what words announce.
func findSecrets(text string) []span {
	keys, _ := findKeys(text)
	s := scanner{text: text, flags: passwordFlags(text), spans: append(keys, findTokens(text)...)}
	for at := 0; at < len(text); {
		at = s.next(at)
	}
	spans := slices.DeleteFunc(s.spans, func(s span) bool { return s.from >= s.to || isMark(text[s.from:s.to]) })
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	return spans
}

// scanner visits the words of a text. It records which quotes are open in the line, as the bits
// of quoteBit.
type scanner struct {
	text  string
	flags string // the letters of flags that take a password
	open  uint32
	spans []span
}

// next visits the word or the character at index at, and returns the index after it.
func (s *scanner) next(at int) int {
	switch c := s.text[at]; {
	case isNameByte(c):
		return s.word(at)
	case c == '\n':
		s.open = 0
	case c == '\'' && at > 0 && isAlnum(s.text[at-1]) && s.open&quoteBit(s.text, at) == 0: // an apostrophe
	case strings.HasPrefix(s.text[at:], markStart):
		return at + len(markStart) + indexOr(s.text[at+len(markStart):], "] \n")
	default:
		s.open ^= quoteBit(s.text, at)
	}
	return at + 1
}

func isNameByte(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' || c > 0x7f }

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// word visits the word that begins at from, and returns the end of the word or of the secret
// after it.
func (s *scanner) word(from int) int {
	to := from
	for to < len(s.text) && isNameByte(s.text[to]) {
		to++
	}
	if strings.HasPrefix(s.text[to:], "://") {
		s.url(to + len("://"))
		return to
	}
	found := cmp.Or(s.flag(from, to), s.named(from, to), s.scheme(from, to))
	if found.kind == "" {
		return to
	}
	s.spans = append(s.spans, found)
	end := max(to, found.to)
	if strings.Contains(s.text[to:end], "\n") {
		s.open = 0
	}
	return end
}

// quoteBit returns a bit for the quote at index at and the backslashes before it, as the text
// around it may be quoted itself; 0 if there is no quote.
func quoteBit(text string, at int) uint32 {
	if c := text[at]; c != '"' && c != '\'' && c != '`' {
		return 0
	}
	kind := strings.IndexByte(quotes, text[at])
	level := backslashes(text, at)
	return 1 << (8*kind + min(level*(level%2), 7)) // an even number escapes itself
}

const quotes = "\"'`"

func backslashes(text string, at int) int {
	return at - len(strings.TrimRight(text[:at], `\`))
}
