package record

import "strings"

// maxHarmless is the maximum length of a value that is kept: names in it are checked again, and
// the time must stay linear in the text.
const maxHarmless = 512

// named finds the value of the name text[from:to], if it names a secret: PASSWORD=…, "password":
// "…", --token …, Authorization: …, <secret>…</secret>.
func (s *scanner) named(from, to int) (found span) {
	op, begin := operator(s.text, from, to)
	if op == "" || begin >= len(s.text) {
		return found
	}
	name := s.text[from:to]
	kind := secretKind(name)
	switch {
	case strings.EqualFold(name, "key") && from > 1 && s.text[from-1] == ' ' && isAlnum(s.text[from-2]):
		kind = "key" // API key: …
	case kind == "", name == "PASS" && op == ":": // in the output of tests
		return found
	}
	open := s.open
	for at := to; at < begin; at++ {
		s.open ^= quoteBit(s.text, at)
	}
	end := max(begin, s.valueEnd(from, to, begin, op, kind))
	value := s.text[begin:end]
	if len(value) <= maxHarmless && (isHarmless(value) || countsTokens(name) && isDigits(value)) {
		s.open = open
		return found
	}
	inner := unquoted(value)
	return span{begin + inner.from, begin + inner.to, kind}
}

// operator returns the operator after the name text[from:to], and where its value begins. The
// operator is a space between a flag and its value, and "" if there is none.
func operator(text string, from, to int) (op string, begin int) {
	quoted := to + prefix(text[to:], "\\\"'`])") // the end of a quoted key, or of an index
	at := skipBlanks(text, quoted)
	begin = at + prefix(text[at:], "=:>?+")
	op = text[at:begin]
	switch {
	case op == ">" && from > 0 && text[from-1] == '<':
		return op, begin
	case strings.HasPrefix(op, "::") || strings.HasPrefix(text[at:], "://"):
		return "", at
	case op != ":" && !strings.Contains(op, "="):
		if strings.HasPrefix(text[at:], ",") {
			at = skipBlanks(text, at+1) // in a list: "--password", "hunter2"
		}
		if text[from] == '-' && at > quoted && at < len(text) && text[at] != '-' && text[at] != '\n' {
			return " ", at
		}
		return "", at
	}
	begin = skipBlanks(text, begin)
	if next := begin + prefix(text[begin:], " \t\r\n"); next < len(text) && quoteBit(text, next) != 0 {
		begin = next // a quoted value on the next line
	}
	return op, begin
}

// prefix returns the number of bytes at the beginning of text that are in chars.
func prefix(text, chars string) (n int) {
	for n < len(text) && strings.IndexByte(chars, text[n]) >= 0 {
		n++
	}
	return n
}

func skipBlanks(text string, at int) int {
	for {
		n := prefix(text[at:], " \t") + continuation(text[at:])
		if n == 0 {
			return at
		}
		at += n
	}
}

// valueEnd returns the end of the value that begins at begin.
func (s *scanner) valueEnd(from, to, begin int, op, kind string) int {
	text, quoted := s.text, strings.IndexByte(`\`+quotes, s.text[to]) >= 0
	header := kind == "authorization" || kind == "cookie"
	plain := begin + prefix(text[begin:len(text)-1], `\`)
	before := text[max(0, from-maxIndent):from]
	before = before[strings.LastIndexByte(before, '\n')+1:] // in its line
	alone := strings.Trim(before, " \t-\"'") == ""
	switch first := text[begin]; {
	case op == ">":
		return begin + indexOr(text[begin:], "<")
	case op == ":" && (first == '|' || first == '>'):
		return blockEnd(text, len(before), begin)
	case op == ":" && !quoted && (header || alone && strings.IndexByte(quotes+"[{", text[plain]) < 0):
		return s.lineEnd(begin)
	}
	return s.wordEnd(begin)
}

func indexOr(text, chars string) int {
	if i := strings.IndexAny(text, chars); i >= 0 {
		return i
	}
	return len(text)
}

// maxIndent is how far back in a line the search goes, and maxList the maximum distance to the
// end of a list, so that the time stays linear in the text.
const maxIndent, maxList = 2 << 10, 4 << 10

// blockEnd returns the end of a YAML block: the lines that are indented more than its name.
func blockEnd(text string, indent, at int) int {
	for {
		at += indexOr(text[at:], "\n")
		line, _, _ := strings.Cut(text[min(at+1, len(text)):], "\n")
		if at == len(text) || strings.TrimSpace(line) != "" && prefix(line, " \t") <= indent {
			return at
		}
		at++
	}
}

// lineEnd returns the end of a value that may contain spaces: that of the line or of the
// enclosing quote, or the beginning of the next shell command.
func (s *scanner) lineEnd(at int) int {
	for from := at; at < len(s.text) && s.text[at] != '\n' && s.text[at] != '\r'; at++ {
		for _, next := range [...]string{" && ", " || ", " | ", " ; "} {
			if strings.HasPrefix(s.text[at:], next) {
				return at
			}
		}
		if s.open&quoteBit(s.text, at) != 0 {
			return at - backslashes(s.text[from:], at-from)
		}
	}
	return at
}

// wordEnd returns the end of a value that is one shell word, which may have quoted parts, or a
// list.
func (s *scanner) wordEnd(at int) int {
	text, from, depth := s.text, at, 0
	for ; at < len(text); at++ {
		c := text[at]
		quote, escapes := quoteBit(text, at), backslashes(text[from:], at-from)
		switch {
		case s.open&quote != 0 && (at > from+escapes || at+1 == len(text) || !isNameByte(text[at+1])):
			return at - escapes
		case quote != 0:
			at = closing(text, at) - 1
		case strings.IndexByte("[{", c) >= 0 && (depth > 0 || at == from):
			depth++
		case strings.IndexByte("]}", c) >= 0 && depth > 0:
			depth--
		case depth > 0 && at-from < maxList:
		case continuation(text[at:]) > 0:
			at += continuation(text[at:]) - 1
		case strings.IndexByte(" \t\r\n;&|<>()", c) >= 0 && escapes%2 == 0:
			return from + len(strings.TrimRight(text[from:at], ","))
		case strings.IndexByte(",}]", c) >= 0 && at > from && strings.IndexByte(quotes+"]}", text[at-1]) >= 0:
			return at
		}
	}
	return at
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

// unquoted returns the part of a value inside its quotes, if one pair encloses all of it.
func unquoted(value string) span {
	escapes := prefix(value, `\`)
	if escapes == len(value) || quoteBit(value, escapes) == 0 || closing(value, escapes) < len(value) {
		return span{to: len(value)}
	}
	inner := strings.TrimSuffix(value[escapes+1:], value[escapes:escapes+1])
	return span{from: escapes + 1, to: escapes + 1 + len(strings.TrimRight(inner, `\`))}
}

// isHarmless reports whether a value is only a reference to a variable, such as $TOKEN,
// ${TOKEN} or ${{ secrets.TOKEN }}, a command substitution, or no value.
func isHarmless(value string) bool {
	inner := unquoted(value)
	value = strings.Trim(value[inner.from:inner.to], ",;")
	switch value {
	case "", "null", "nil", "None", "true", "false", "$", "${{":
		return true
	}
	name, ok := strings.CutPrefix(value, "$")
	name = strings.TrimPrefix(strings.Trim(name, "{} "), "secrets.")
	return ok && (value[1] == '(' || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == "")
}
