package record

import (
	"cmp"
	"strings"
)

// findValues finds the values after the names and the flags of secrets.
func findValues(text string) (spans []span) {
	s := &scanner{text: text}
	arguments := argumentsIn(text)
	at, end := 0, 0
	for word := range strings.FieldsFuncSeq(text, isSeparator) {
		from := at + strings.Index(text[at:], word)
		at = from + len(word)
		if from < end || strings.HasSuffix(text[:from], markStart) {
			continue
		}
		if found := cmp.Or(s.argument(from, arguments), s.named(from, at)); found.kind != "" {
			spans = append(spans, found)
			end = found.to
		}
	}
	return spans
}

func isSeparator(r rune) bool {
	return r < 0x80 && !isAlnum(byte(r)) && r != '_' && r != '-' && r != '.'
}

const blank = `(?:[ \t]|\\\r?\n)`

// argument is a password, or user:password, that follows a flag or a word.
type argument struct {
	programs string // of which one occurs in the text
	login    bool
	before   pattern // of the text before the flag
	flag     pattern // the group begins the argument
}

const (
	begin   = "(?:^|[\\s'\"`(])$" // the beginning of a word
	command = `[^\n;&|]*\s$`      // the part of a command before a flag
)

var arguments = [...]argument{
	{"--", true, pattern{text: begin}, pattern{text: `^--(?:proxy-)?user` + blank + `*=*([^-=\s])`}},
	{"curl", true, pattern{text: begin}, pattern{text: `^-[\w.]*?[uU]` + blank + `*=*([^-=\s])`}},
	{"sshpass mysql mariadb login", false, pattern{text: begin}, pattern{text: `^-[\w.]*?p` + blank + `*=*([^-=\s])`}},
	{"redis-cli", false, pattern{text: `redis-cli` + command}, pattern{text: `^-a` + blank + `+([^-\s])`}},
	{"zip", false, pattern{text: `zip` + command}, pattern{text: `^-P` + blank + `*([^-\s])`}},
	{"htpasswd", false, pattern{text: `htpasswd .*-\w*b\w*(?: +[^ ;&|]+){1,2} +["']?$`}, pattern{text: `^(\S)`}},
	{"--from-literal", false, pattern{text: ` secret` + command}, pattern{text: `^--from-literal[ =]["']?[\w.-]+=(\S)`}},
	{"login", false, pattern{text: `(?:machine\s+\S+|default)\s+login\s+\S+\s+$`}, pattern{text: `^password\s+(\S)`}}, // .netrc
}

// maxBefore is the maximum length of the text before a flag.
const maxBefore = 256

// argumentsIn returns the arguments of the programs in a text.
func argumentsIn(text string) (found []*argument) {
	for i := range arguments {
		for program := range strings.FieldsSeq(arguments[i].programs) {
			if strings.Contains(text, program) {
				found = append(found, &arguments[i])
				break
			}
		}
	}
	return found
}

// argument finds the password that follows the word at index at: -p x, -px, -su user:x.
func (s *scanner) argument(at int, arguments []*argument) span {
	for _, a := range arguments {
		m := a.flag.get().FindStringSubmatchIndex(s.text[at:])
		if m == nil || !a.before.get().MatchString(s.text[max(0, at-maxBefore):at]) {
			continue
		}
		found := s.secret(at+m[2], s.wordEnd, "password", "")
		if a.login {
			user, password, ok := strings.Cut(s.text[found.from:found.to], ":")
			if !ok || isHarmless(password) {
				continue
			}
			found.from += len(user + ":")
		}
		return found
	}
	return span{}
}

// operator matches the text between a name and its value: an operator, after which a quoted value
// may be on the next line, or the separator between a flag and its argument.
var operator = pattern{text: "^[\\\\\"'`\\])]*(?:" + blank + "*([=:>?+]+)(?:\\s*([\"'`])|" + blank + `*)|` +
	`(?:` + blank + `*,|` + blank + `)` + blank + `*([^-\s]))`}

// named finds the value of the name text[from:to], if it names a secret: PASSWORD=…, "password":
// "…", --token …, Authorization: …, <secret>…</secret>.
func (s *scanner) named(from, to int) span {
	next := strings.TrimLeft(s.text[to:], " \t\r\n\\\"'`])")
	isFlag := s.text[from] == '-'
	if next == "" || !isFlag && strings.IndexByte("=:>?+", next[0]) < 0 {
		return span{}
	}
	if strings.EqualFold(s.text[from:to], "key") { // API key
		from = 1 + strings.LastIndexFunc(strings.TrimSuffix(s.text[:from], " "), isSeparator)
	}
	name, rest := s.text[from:to], s.text[to:]
	kind := secretKind(name)
	if kind == "" {
		return span{}
	}
	m := operator.get().FindStringSubmatchIndex(rest)
	if m == nil {
		return span{}
	}
	begin := to + cmp.Or(max(m[4], 0), max(m[6], 0), m[1])
	op := rest[max(m[2], 0):max(m[3], 0)]
	switch {
	case op == ">" && strings.HasSuffix(s.text[:from], "<"):
		return s.secret(begin, s.elementEnd, kind, name)
	case op == ":" && !strings.HasPrefix(rest[m[3]:], "//") && name != "PASS": // not in the output of tests
		return s.secret(begin, s.endAfterColon(from, to, begin, kind), kind, name)
	case strings.Contains(op, "=") && !strings.HasPrefix(op, "::"), op == "" && isFlag:
		return s.secret(begin, s.wordEnd, kind, name)
	}
	return span{}
}

// maxHarmless is the maximum length of a value that is kept: names in it are checked again, and
// the time must stay linear in the text.
const maxHarmless = 512

// secret returns the value that begins at from, without its quotes, unless it is harmless.
func (s *scanner) secret(from int, end func(from int) int, kind, name string) span {
	s.advance(from)
	to := max(from, end(from))
	value := s.text[from:to]
	if len(value) <= maxHarmless && (isHarmless(value) || isDigits(value) && countsTokens(name)) {
		return span{}
	}
	quoted := strings.TrimLeft(value, `\`)
	if last := len(quoted) - 1; last > 0 && strings.IndexByte(quotes, quoted[0]) >= 0 && quoted[0] == quoted[last] {
		from = to - last
		to = from + len(strings.TrimRight(quoted[1:last], `\`))
	}
	return span{from, to, kind}
}

// harmless matches a reference to a variable, such as $TOKEN, ${TOKEN} or ${{ secrets.TOKEN }}, a
// command substitution, and an empty, null or boolean value.
var harmless = pattern{text: `^(?:null|nil|None|true|false|(?s:\$\(.*)|\$[{} ]*(?:secrets\.)?[A-Z0-9_]*[{} ]*)?$`}

func isHarmless(value string) bool {
	return harmless.get().MatchString(strings.Trim(value, `\,;`+quotes))
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789_,.") == "" }
