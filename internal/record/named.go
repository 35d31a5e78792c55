package record

import (
	"strings"
)

// findNamed finds values after names of secrets: PASSWORD=…, "password": "…", --token …,
// Authorization: …, <secret>…</secret>.
func findNamed(text string) (spans []span) {
	for at := 0; at < len(text); {
		if !isNameByte(text[at]) {
			at++
			continue
		}
		end := at
		for end < len(text) && isNameByte(text[end]) {
			end++
		}
		for _, s := range valueOf(text, at, end) {
			spans = append(spans, s)
			end = max(end, s.to)
		}
		at = end
	}
	return spans
}

func isNameByte(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' || c > 0x7f }

// operator is the text between a name and its value.
type operator struct {
	text   string // "=", ":", "==", " ", ">"
	end    int    // where the value begins, after white space
	glue   bool   // no spaces around it
	quoted bool   // the name is followed by a quote
}

// valueOf returns the secret parts of the value of the name text[from:to]. A value that is not
// a secret may contain other names.
func valueOf(text string, from, to int) []span {
	op, ok := findOperator(text, from, to)
	if !ok || strings.HasSuffix(text[:from], markStart) {
		return nil
	}
	name := nameAt(text, from, to)
	kind := secretKind(name)
	unsure := kind == "" && mayHoldSecret(name)
	if unsure {
		kind = "key"
	}
	if kind == "" || kind == "pass" && op.text == ":" && !op.quoted {
		return nil // PASS: as in the output of tests
	}
	if first := text[op.end]; !unsure && (first == '[' || first == '{') && !strings.HasPrefix(text[op.end:], markStart) {
		return findStrings(text, op.end, kind)
	}
	if unsure {
		// Most names of this kind have no secret, so only a bounded part is checked.
		head := text[:min(len(text), op.end+maxUnsure)]
		end := valueEnd(head, from, op, kind)
		value := head[op.end:max(end, op.end)]
		signed := strings.EqualFold(name, "sig") && from > 0 && strings.IndexByte("?&", text[from-1]) >= 0 // a URL
		if inner := unquoted(value); !signed && !looksSecret(name, value[inner.from:inner.to]) {
			return nil
		}
	}
	end := valueEnd(text, from, op, kind)
	value := text[op.end:max(end, op.end)]
	switch {
	case value == "":
		return nil
	case len(value) > maxHarmless:
	case isReference(value), isLiteral(value, op), countsTokens(name) && isDigits(value):
		return nil
	case end < len(text) && text[end] == '(' && strings.IndexByte("\"'`", value[0]) < 0:
		return nil // a function call
	}
	inner := unquoted(value)
	return []span{{op.end + inner.from, op.end + inner.to, kind}}
}

// nameAt returns the name text[from:to], together with the word before it if it needs that: API
// key.
func nameAt(text string, from, to int) string {
	name := strings.TrimLeft(text[from:to], "-.")
	if !strings.EqualFold(name, "key") || from < 2 || text[from-1] != ' ' {
		return name
	}
	before := from - 1
	for before > 0 && isNameByte(text[before-1]) {
		before--
	}
	return text[before:to]
}

// maxUnsure is the number of bytes of a value that are checked for a secret.
const maxUnsure = 512

// maxHarmless is the maximum length of a value that is kept: names in it are checked again, and
// the time must stay linear in the text.
const maxHarmless = 512

// maxList is the maximum distance to the end of a list, so that the time stays linear in the
// text.
const maxList = 8 << 10

// findStrings finds the strings, except keys, in a list or a table whose name is that of a
// secret.
func findStrings(text string, at int, kind string) (spans []span) {
	depth, most := 0, min(len(text), at+maxList)
	for at < most {
		switch c := text[at]; c {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth <= 0 {
				return spans
			}
		case '"', '\'', '`':
			escapes := backslashes(text, at)
			end := closing(text, at, escapes)
			to := trimBackslashes(text, at+1, max(at+1, end-1))
			if next := skipBlanks(text, end); at+1 < to && (next == len(text) || text[next] != ':') {
				spans = append(spans, span{at + 1, to, kind})
			}
			at = end
			continue
		}
		at++
	}
	return spans
}

// findOperator returns the operator after the name text[from:to].
func findOperator(text string, from, to int) (operator, bool) {
	at := to
	if from > 0 && text[from-1] == '<' && at < len(text) && text[at] == '>' {
		return operator{text: ">", end: at + 1, glue: true}, at+1 < len(text)
	}
	for at < len(text) && strings.IndexByte("\\\"'`])", text[at]) >= 0 {
		at++ // the end of a quoted key, or of an index
	}
	blanks := at
	at = skipBlanks(text, at)
	op := operator{glue: at == blanks, quoted: blanks > to}
	for _, o := range [...]string{"===", "==", ":=", "=>", "+=", "?=", "=", "::", ":"} {
		if at < len(text) && text[at] == o[0] && strings.HasPrefix(text[at:], o) {
			op.text = o
			break
		}
	}
	switch {
	case op.text == "::" || strings.HasPrefix(text[at:], "://"):
		return operator{}, false
	case op.text == "":
		return flagOperator(text, from, blanks)
	}
	behind := at + len(op.text)
	op.end = skipBlanks(text, behind)
	op.glue = op.glue && op.end == behind
	if next := strings.TrimLeft(text[op.end:], " \t\r\n"); next != "" && strings.IndexByte("\"'`", next[0]) >= 0 {
		op.end = len(text) - len(next) // a quoted value on the next line
	}
	return op, op.end < len(text)
}

// flagOperator returns the operator after a name that may be a flag: --password hunter2, or
// "--password", "hunter2" in a list.
func flagOperator(text string, from, behind int) (operator, bool) {
	at := behind
	if at < len(text) && text[at] == ',' {
		at++
	}
	at = skipBlanks(text, at)
	flag := text[from] == '-' && at > behind && at < len(text) && text[at] != '-' && text[at] != '\n'
	return operator{text: " ", end: at, quoted: text[behind-1] != text[from] && strings.IndexByte("\"'`", text[behind-1]) >= 0}, flag
}

func skipBlanks(text string, at int) int {
	for at < len(text) {
		switch {
		case text[at] == ' ' || text[at] == '\t':
			at++
		case continuation(text[at:]) > 0:
			at += continuation(text[at:])
		default:
			return at
		}
	}
	return at
}

// valueEnd returns the end of the value after op.
func valueEnd(text string, name int, op operator, kind string) int {
	rest := text[op.end:]
	header := op.text == ":" && (kind == "authorization" || kind == "cookie")
	open := openQuote(text, name)
	if op.quoted {
		open = quoting{}
	}
	switch {
	case op.text == ">":
		return op.end + indexOr(rest, "<")
	case strings.HasPrefix(op.text, "==") && (rest == "" || strings.IndexByte("\"'`", rest[0]) < 0):
		return op.end // a comparison with a variable
	case op.text == ":" && strings.IndexByte("|>", rest[0]) >= 0:
		return blockEnd(text, name, op.end)
	case rest[0] == '"' || rest[0] == '\'' || rest[0] == '`' || strings.HasPrefix(rest, `\`):
		return wordEnd(text, op.end, open)
	case header, op.text == ":" && startsLine(text, name):
		return lineEnd(text, op.end, open)
	}
	return wordEnd(text, op.end, open)
}

func indexOr(text, chars string) int {
	if i := strings.IndexAny(text, chars); i >= 0 {
		return i
	}
	return len(text)
}

// quoting is an open quote and the number of backslashes before it: the text around it may be
// quoted itself.
type quoting struct {
	quote byte // 0: none is open
	level int
}

// closedBy reports whether the quote at index at closes this one.
func (q quoting) closedBy(text string, at int) bool {
	if q.quote == 0 || text[at] != q.quote {
		return false
	}
	n := backslashes(text, at)
	return q.level == 0 && n%2 == 0 || q.level > 0 && n <= q.level
}

// openQuote returns the quote that is open at the beginning of a name, in the same line. The
// value of the name ends where that quote ends.
func openQuote(text string, name int) quoting {
	begin := lineStart(text, name)
	if begin > 0 && text[begin-1] != '\n' {
		return quoting{} // unknown; assuming a quote could redact too much
	}
	var open []quoting
	for i := begin; i < name; i++ {
		c, last := text[i], len(open)-1
		switch {
		case c != '"' && c != '\'' && c != '`':
		case last >= 0 && open[last].closedBy(text, i):
			open = open[:last]
		case last >= 0 && c != open[last].quote:
		case c == '\'' && i > 0 && isAlnum(text[i-1]):
			// An apostrophe.
		default:
			open = append(open, quoting{c, backslashes(text, i)})
		}
	}
	if len(open) == 0 {
		return quoting{}
	}
	return open[len(open)-1]
}

// maxLine is how far back in a line the search goes, so that the time stays linear in the text.
const maxLine = 2 << 10

func lineStart(text string, at int) int {
	from := max(0, at-maxLine)
	return from + strings.LastIndexByte(text[from:at], '\n') + 1
}

func backslashes(text string, at int) (n int) {
	for n < at && text[at-1-n] == '\\' {
		n++
	}
	return n
}

// startsLine reports whether only white space, a dash or a quote precedes the name in its line.
func startsLine(text string, name int) bool {
	begin := lineStart(text, name)
	return strings.Trim(text[begin:name], " \t-\"'") == "" && (begin > 0 || strings.IndexByte(text, '\n') >= 0 || name == 0)
}

// lineEnd returns the end of a value that may contain spaces: that of the line or of the
// enclosing quote, or the beginning of the next shell command.
func lineEnd(text string, at int, open quoting) int {
	from := at
	for ; at < len(text) && text[at] != '\n' && text[at] != '\r'; at++ {
		switch {
		case open.closedBy(text, at):
			return trimBackslashes(text, from, at)
		case strings.HasPrefix(text[at:], " && "), strings.HasPrefix(text[at:], " || "), strings.HasPrefix(text[at:], " | "), strings.HasPrefix(text[at:], " ; "):
			return at
		}
	}
	return at
}

func trimBackslashes(text string, from, at int) int {
	for at > from && text[at-1] == '\\' {
		at--
	}
	return at
}

// wordEnd returns the end of a value that is one shell word, which may have quoted parts.
func wordEnd(text string, at int, open quoting) int {
	from := at
	for at < len(text) {
		c := text[at]
		escapes := backslashes(text[from:], at-from)
		switch {
		case c == '\\' && continuation(text[at:]) > 0:
			at += continuation(text[at:])
			continue
		case c == '\\':
			at++
			continue
		case strings.IndexByte("\"'`", c) >= 0:
			if open.closedBy(text, at) {
				return trimBackslashes(text, from, at)
			}
			at = closing(text, at, escapes)
			continue
		case strings.IndexByte(" \t\r\n;&|<>()", c) >= 0 && (escapes%2 == 0 || strings.IndexByte("\r\n", c) >= 0):
			return trimComma(text, from, at)
		case c == ',' && at > from && strings.IndexByte("\"'`", text[at-1]) >= 0:
			return at
		case (c == '}' || c == ']') && at > from && strings.IndexByte("\"'`", text[at-1]) >= 0:
			return at
		}
		at++
	}
	return at
}

func trimComma(text string, from, at int) int {
	if at > from+1 && text[at-1] == ',' {
		return at - 1
	}
	return at
}

// closing returns the offset after the quote that closes the one at index at, which is preceded
// by the given number of backslashes.
func closing(text string, at, escapes int) int {
	q := quoting{text[at], escapes}
	for i := at + 1; i < len(text); i++ {
		if text[i] == q.quote && q.closedBy(text[at+1:], i-at-1) {
			return i + 1
		}
	}
	return len(text)
}

// blockEnd returns the end of a YAML block: the lines that are indented more than the name's
// line.
func blockEnd(text string, name, at int) int {
	indent := name - lineStart(text, name)
	end := at + indexOr(text[at:], "\n")
	for end < len(text) {
		line := text[end+1:]
		next := end + 1 + indexOr(line, "\n")
		blanks := len(line) - len(strings.TrimLeft(line, " \t"))
		if strings.TrimSpace(text[end+1:next]) != "" && blanks <= indent {
			return end
		}
		end = next
	}
	return end
}

// unquoted returns the part of a value inside its quotes, if one pair encloses all of it.
func unquoted(value string) span {
	escapes := len(value) - len(strings.TrimLeft(value, `\`))
	if escapes < len(value) && strings.IndexByte("\"'`", value[escapes]) >= 0 {
		end := closing(value, escapes, escapes)
		inner := trimBackslashes(value, escapes+1, end-1)
		if end == len(value) && end > escapes+1 && value[end-1] == value[escapes] {
			return span{from: escapes + 1, to: inner}
		}
	}
	return span{from: 0, to: len(value)}
}

// isReference reports whether a value is only a reference to a variable, such as $TOKEN,
// ${TOKEN} or ${{ secrets.TOKEN }}, or a command substitution.
func isReference(value string) bool {
	inner := unquoted(value)
	if inner.from > 0 && strings.IndexByte(value[:inner.from], '\'') >= 0 {
		return false // not expanded by the shell
	}
	value = value[inner.from:inner.to]
	if value == "$" || strings.HasPrefix(value, "$(") || value == "`" {
		return true // $(command); its content is scanned separately
	}
	if name, ok := strings.CutPrefix(value, "${{"); ok {
		return strings.HasSuffix(name, "}}") && strings.Count(name, "}") == 2 || name == ""
	}
	for _, lookup := range [...]string{"process.env.", "process.env[", "os.environ", "import.meta.env.", "env.", "ENV["} {
		if strings.HasPrefix(value, lookup) {
			return true
		}
	}
	name, ok := strings.CutPrefix(value, "$")
	if braced, has := strings.CutPrefix(name, "{"); has {
		name, has = strings.CutSuffix(braced, "}")
		ok = ok && has
	}
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}

// isLiteral reports whether a value is a word of source code that is not a secret: a type, or a
// null value.
func isLiteral(value string, op operator) bool {
	switch strings.Trim(value, ",;") {
	case "", `""`, "''", "null", "nil", "None", "true", "false", "True", "False", "undefined", "*":
		return true
	case "string", "str", "String", "number", "int", "bool", "boolean", "any", "bytes", "[]byte":
		return !op.glue
	}
	return false
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789_,.") == "" }
