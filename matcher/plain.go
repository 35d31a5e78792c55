package matcher

import (
	"strings"
	"unicode/utf8"
)

// plain parses simple expressions: characters and common punctuation, `.`,
// escaped classes and punctuation, sets of characters, classes and some
// punctuation, anchors, groups, look-aheads, look-behinds of letters, groups that
// ignore case, alternatives, and * + ? {n,m} after an atom. All such expressions compile
// and, with ASCII letters, mean the same in every dialect. The
// words that a matching text must contain are therefore known without the engine,
// and most hooks that do not match need no compilation (FuzzPlain).
type plain struct {
	src      string
	pos      int
	depth    int
	ahead    bool // it has a look-around or a backreference
	negative bool // it has a negative look-around
	folds    bool // a part of it ignores case
	groups   int  // capturing groups that are closed
	refers   bool // it has a backreference
	quick    bool // the words are not needed
	branches []alternative
}

// alternative is one of the alternatives outside of groups.
type alternative struct {
	source string
	words  words
	ahead  bool
}

// words are strings. Every text that the expression matches contains at least
// one of them.
type words struct {
	word  string   // the word, if there is one
	more  []string // the words, if there are several; if both fields are empty, none is known
	exact bool     // every text that contains one of them matches
}

func (w words) known() bool { return w.word != "" || len(w.more) > 0 }

// in reports whether text contains one of the words.
func (w words) in(text string) bool {
	if w.word != "" {
		return strings.Contains(text, w.word)
	}
	for _, word := range w.more {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// maxDepth limits the nesting of groups.
const maxDepth = 16

// parsePlain returns the words that the expression requires and the parsed expression, and false
// if the expression is not plain.
func parsePlain(source string) (w words, p plain, ok bool) {
	p.src = source
	w, ok = p.parse()
	return w, p, ok
}

func (p *plain) parse() (w words, ok bool) {
	source := p.src
	p.folds = strings.HasPrefix(source, "(?i)")
	if p.folds {
		p.pos = len("(?i)")
	}
	w, ok = p.alternatives()
	if p.refers || strings.HasPrefix(source, "(?i)") { // alternatives alone mean something else
		p.branches = nil
	}
	if strings.HasPrefix(source, "(?i)") {
		w = words{}
	}
	return w, ok && p.pos == len(source)
}

// simulated reports whether the expression means the same to Go, on printable ASCII text.
func (p *plain) simulated() bool {
	return !p.ahead && !(p.folds && strings.ContainsFunc(p.src, func(c rune) bool { return c >= utf8.RuneSelf }))
}

// firsts returns the beginnings of one or two characters that texts have which a plain
// expression of one alternative matches, the second a NUL if it may be any; "" if they
// are not known.
func firsts(source string) string {
	all := make([]byte, 0, 64)
	rest, anchored := strings.CutPrefix(source, "^")
	for strings.HasPrefix(rest, "(?!") || strings.HasPrefix(rest, "(?=") {
		rest = rest[skip(rest[1:], ')')+2:]
	}
	in, end := rest, 0
	if strings.HasPrefix(rest, "(") && !strings.HasPrefix(rest, "(?") {
		end = skip(rest[1:], ')') + 2
		in = rest[1 : end-1]
	}
	if !anchored || end > 0 && end < len(rest) && isRepeat(rest[end]) {
		return ""
	}
	for {
		if in == "" || !isOrdinary(in[0]) || len(in) > 1 && isRepeat(in[1]) {
			return ""
		}
		if len(in) > 1 && isOrdinary(in[1]) && (len(in) == 2 || !isRepeat(in[2])) {
			all = append(all, in[0], in[1])
		} else {
			all = append(all, in[0], 0)
		}
		if in = in[skip(in, '|'):]; end == 0 || in == "" {
			return string(all)
		}
		in = in[1:]
	}
}

// skip returns the index of the first end that is in no set and in no group of a plain
// expression; its length if there is none.
func skip(source string, end byte) int {
	depth := 0
	for i := 0; i < len(source); i++ {
		switch c := source[i]; {
		case c == '\\':
			i++
		case c == '[':
			i += max(0, strings.IndexByte(source[i:], ']'))
		case depth == 0 && c == end:
			return i
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
	}
	return len(source)
}

// alternatives parses branches up to the end or a closing parenthesis. The
// result is known only if every branch is.
func (p *plain) alternatives() (words, bool) {
	all := words{exact: true}
	known := true
	for count := 0; ; count++ {
		begin, ahead := p.pos, p.ahead
		p.ahead = false
		w, ok := p.branch()
		if !ok {
			return words{}, false
		}
		if p.depth == 0 {
			p.branches = append(p.branches, alternative{p.src[begin:p.pos], w, p.ahead})
		}
		p.ahead = p.ahead || ahead
		more := p.next() == '|'
		if count == 0 && !more {
			return w, true
		}
		if known = known && w.known(); known {
			all.exact = all.exact && w.exact
			if w.word != "" {
				all.more = append(all.more, w.word)
			}
			all.more = append(all.more, w.more...)
		}
		if !more && !known {
			return words{}, true
		}
		if !more {
			return all, true
		}
		p.pos++
	}
}

// branch parses a sequence of atoms. Its best requirement is the longest run of
// characters in the source, or the requirement of a group.
func (p *plain) branch() (best words, ok bool) {
	begin := p.pos
	var run words // the run of characters before the current atom
	whole := true // the branch consists of one run so far
	for p.pos < len(p.src) && p.next() != '|' && p.next() != ')' {
		if n := p.ordinary(); n > 0 {
			p.pos += n
			if !p.quick {
				run.word = p.src[p.pos-len(run.word)-n : p.pos]
			}
			continue
		}
		a, ok := p.atom()
		if !ok {
			return words{}, false
		}
		repeated := a.consumes && p.repeat()
		switch {
		case p.quick:
		case a.char == "" || repeated:
			whole = false
			best, run = better(best, run), words{}
			if !repeated {
				best = better(best, a.inner)
			}
		case a.escaped && run.word != "": // the source spells the character differently
			whole = false
			best, run = better(best, run), words{word: a.char}
		default:
			run.word = p.src[p.pos-len(run.word)-len(a.char) : p.pos]
		}
	}
	best = better(best, run)
	best.exact = whole && p.pos > begin
	return best, true
}

// ordinaryLow and ordinaryHigh have a bit for each printable ASCII character that matches
// itself.
const (
	ordinaryLow  uint64 = 1<<64 - 1<<' ' - 1<<'$' - 1<<'(' - 1<<')' - 1<<'*' - 1<<'+' - 1<<'.' - 1<<'?'
	ordinaryHigh uint64 = 1<<63 - 1 - 1<<('['-64) - 1<<('\\'-64) - 1<<(']'-64) - 1<<('^'-64) - 1<<('{'-64) - 1<<('|'-64) - 1<<('}'-64)
)

// isOrdinary reports whether a byte is a printable ASCII character that matches itself.
func isOrdinary(c byte) bool {
	if c < 64 {
		return ordinaryLow>>c&1 != 0
	}
	return c < utf8.RuneSelf && ordinaryHigh>>(c-64)&1 != 0
}

func isRepeat(c byte) bool { return c == '*' || c == '+' || c == '?' || c == '{' }

// ordinary returns the number of characters up to the next one that is special, or that
// is repeated.
func (p *plain) ordinary() (n int) {
	rest := p.src[p.pos:]
	for n < len(rest) && isOrdinary(rest[n]) {
		n++
	}
	if n > 0 && n < len(rest) && isRepeat(rest[n]) {
		n--
	}
	return n
}

// repeat parses what repeats the atom before it, if something does: *, +, ?, {n}, {n,} or
// {n,m}.
func (p *plain) repeat() bool {
	switch p.next() {
	case '*', '+', '?':
		p.pos++
		return true
	case '{':
		count, _, closed := strings.Cut(p.src[p.pos+1:], "}")
		low, high, bounded := strings.Cut(count, ",")
		const digits = 3
		for _, n := range []string{low, high} {
			if len(n) > digits || strings.Trim(n, "0123456789") != "" {
				return false
			}
		}
		if !closed || low == "" || bounded && high != "" && (len(high) < len(low) || len(high) == len(low) && high < low) {
			return false
		}
		p.pos += len(count) + len("{}")
		return true
	}
	return false
}

// better returns the words whose shortest word is longer.
func better(a, b words) words {
	if b.shortest() > a.shortest() {
		return b
	}
	return a
}

func (w words) shortest() int {
	shortest := len(w.word)
	for i, word := range w.more {
		if i == 0 || len(word) < shortest {
			shortest = len(word)
		}
	}
	return shortest
}

// atom is one part of an expression that may be repeated.
type atom struct {
	char     string // the character that it matches, "" if it is not a character
	escaped  bool   // with a backslash before it
	inner    words  // the requirement of a group
	consumes bool   // it is not an anchor
}

func (p *plain) atom() (a atom, ok bool) {
	c := p.next()
	switch {
	case c == '(':
		return p.group()
	case c == '[':
		return atom{consumes: true}, p.set()
	case c == '\\':
		return p.escape()
	case c == '^' || c == '$':
		p.pos++
		return atom{}, true
	case c == '.':
		p.pos++
		return atom{consumes: true}, true
	case c > '~':
		r, size := utf8.DecodeRuneInString(p.src[p.pos:])
		if r == utf8.RuneError || c < utf8.RuneSelf {
			return atom{}, false
		}
		p.pos += size
		return atom{char: p.src[p.pos-size : p.pos], consumes: true}, true
	case !isOrdinary(c):
		return atom{}, false
	}
	p.pos++
	return atom{char: p.src[p.pos-1 : p.pos], consumes: true}, true
}

func (p *plain) group() (atom, bool) {
	p.pos += len("(")
	if strings.HasPrefix(p.src[p.pos:], "?<") {
		return atom{}, p.behind()
	}
	begin := p.pos
	fold := strings.HasPrefix(p.src[begin:], "?i:")
	if fold {
		p.pos += len("?i:")
	}
	ahead := strings.HasPrefix(p.src[p.pos:], "?=") || strings.HasPrefix(p.src[p.pos:], "?!")
	if ahead {
		p.ahead = true
		p.negative = p.negative || p.src[p.pos+1] == '!'
	}
	if !fold && (ahead || strings.HasPrefix(p.src[p.pos:], "?:")) {
		p.pos += len("?:")
	}
	if p.depth++; p.depth > maxDepth {
		return atom{}, false
	}
	w, ok := p.alternatives()
	if !ok || p.next() != ')' {
		return atom{}, false
	}
	p.depth--
	p.pos++
	if !fold && !ahead && p.src[begin] != '?' {
		p.groups++
	}
	if fold {
		p.folds = true
		return atom{consumes: true}, true
	}
	if ahead { // it consumes nothing, and other characters may satisfy it
		return atom{}, true
	}
	return atom{inner: w, consumes: true}, true
}

// behind parses a look-behind of letters, whose width every dialect accepts.
func (p *plain) behind() bool {
	text, _, closed := strings.Cut(p.src[p.pos+len("?<"):], ")")
	if !closed || len(text) < 2 || text[0] != '!' && text[0] != '=' {
		return false
	}
	p.ahead, p.negative = true, p.negative || text[0] == '!'
	p.pos += len("?<") + len(text) + len(")")
	return !strings.ContainsFunc(text[1:], func(c rune) bool { return c != '#' && (c > '~' || !letterOrDigit(byte(c))) })
}

// set parses [abc], [^abc], the ranges a-z, A-Z and 0-9, classes such as \w, escaped
// punctuation, and a hyphen at the beginning or the end.
func (p *plain) set() bool {
	text, _, closed := strings.Cut(p.src[p.pos+1:], "]")
	p.pos += len(text) + len("[]")
	text = strings.TrimPrefix(text, "^")
	if !closed || text == "" {
		return false
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			if i++; i == len(text) || strings.IndexByte(`wdsWDS.-/nt"'\`, text[i]) < 0 {
				return false
			}
		case i+2 < len(text) && text[i+1] == '-' && (c == 'a' && text[i+2] == 'z' || c == 'A' && text[i+2] == 'Z' || c == '0' && text[i+2] == '9'):
			i += len("-z")
		case c == '-':
			if i > 0 && i < len(text)-1 || i == 0 && (len(text) == 1 || text[1] == '-') {
				return false
			}
		case c == '|' || c == '&' || c == '~': // doubled, they may become operators
			if i+1 < len(text) && text[i+1] == c {
				return false
			}
		case c < ' ' || c == '[' || c == '^' || c == 0x7f:
			return false
		}
	}
	return true
}

func (p *plain) escape() (atom, bool) {
	p.pos++
	c := p.next()
	p.pos++
	switch {
	case c == 0:
		return atom{}, false
	case c == 'b' || c == 'B':
		return atom{}, true
	case p.depth == 0 && c >= '1' && c <= '9' && int(c-'0') <= p.groups && (p.next() < '0' || p.next() > '9'):
		p.ahead, p.refers = true, true
		return atom{consumes: true}, true
	case strings.IndexByte("sSdDwWnt", c) >= 0:
		return atom{consumes: true}, true
	case strings.IndexByte(`\./-()[]{}*+?|^$"'`, c) >= 0:
		return atom{char: p.src[p.pos-1 : p.pos], escaped: true, consumes: true}, true
	}
	return atom{}, false
}

// next returns the current byte, 0 at the end.
func (p *plain) next() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

func letterOrDigit(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
