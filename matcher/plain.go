package matcher

import "strings"

// plain reads the expressions that need no thought: letters, digits and
// common signs, `.`, the escapes of classes and of signs, sets of letters and
// digits, anchors, groups, alternatives, and * + ? behind what they repeat.
// All such expressions compile, and mean the same in every dialect. So it can
// be said without the engine which words a matching text must contain, and
// most hooks that do not match need not be compiled (FuzzPlain).
type plain struct {
	src   string
	pos   int
	depth int
}

// words are strings of which at least one is in every text that an
// expression matches.
type words struct {
	any   []string // none: nothing is known
	exact bool     // and every text that contains one is matched
}

// mostDepth bounds the groups inside groups.
const mostDepth = 16

// requiredWords reports false if the expression is not plain.
func requiredWords(source string) (words, bool) {
	p := plain{src: source}
	w, ok := p.alternatives()
	return w, ok && p.pos == len(source)
}

// alternatives reads branches up to the end or a closing parenthesis. Each
// must be known for all to be.
func (p *plain) alternatives() (words, bool) {
	all := words{exact: true}
	for known := true; ; p.pos++ {
		w, ok := p.branch()
		if !ok {
			return words{}, false
		}
		known = known && len(w.any) > 0
		all.any, all.exact = append(all.any, w.any...), all.exact && w.exact
		if !known {
			all = words{}
		}
		if p.next() != '|' {
			return all, true
		}
	}
}

// branch reads what stands in a row. The best of what it requires is the
// longest run of characters, or what a group requires.
func (p *plain) branch() (best words, ok bool) {
	begin := p.pos
	var run []byte
	whole := true // nothing but characters so far
	for p.pos < len(p.src) && p.next() != '|' && p.next() != ')' {
		a, ok := p.atom()
		if !ok {
			return words{}, false
		}
		repeated := a.consumes && p.next() != 0 && strings.IndexByte("*+?", p.next()) >= 0
		if repeated {
			p.pos++
			if p.next() != 0 && strings.IndexByte("*+?", p.next()) >= 0 {
				return words{}, false
			}
		}
		if a.char != 0 && !repeated {
			run = append(run, a.char)
			continue
		}
		whole = false
		best, run = better(best, one(run)), run[:0]
		if !repeated {
			best = better(best, words{any: a.inner})
		}
	}
	best = better(best, one(run))
	best.exact = whole && p.pos > begin
	return best, true
}

func one(word []byte) words {
	if len(word) == 0 {
		return words{}
	}
	return words{any: []string{string(word)}}
}

// better prefers what has the longer shortest word.
func better(a, b words) words {
	if shortest(b) > shortest(a) {
		return b
	}
	return a
}

func shortest(w words) int {
	least := 0
	for i, word := range w.any {
		if i == 0 || len(word) < least {
			least = len(word)
		}
	}
	return least
}

// atom is one thing that may be repeated.
type atom struct {
	char     byte     // the character that it is, 0 if it is none
	inner    []string // what a group requires
	consumes bool     // it is no anchor
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
	case c < ' ' || c > '~' || strings.IndexByte(`*+?{}]`, c) >= 0:
		return atom{}, false
	}
	p.pos++
	return atom{char: c, consumes: true}, true
}

func (p *plain) group() (atom, bool) {
	p.pos += len("(")
	if strings.HasPrefix(p.src[p.pos:], "?:") {
		p.pos += len("?:")
	}
	if p.depth++; p.depth > mostDepth {
		return atom{}, false
	}
	w, ok := p.alternatives()
	if !ok || p.next() != ')' {
		return atom{}, false
	}
	p.depth--
	p.pos++
	return atom{inner: w.any, consumes: true}, true
}

// set reads [abc], [^abc], and the ranges a-z, A-Z and 0-9.
func (p *plain) set() bool {
	text, _, closed := strings.Cut(p.src[p.pos+1:], "]")
	p.pos += len(text) + len("[]")
	text = strings.TrimPrefix(text, "^")
	if !closed || text == "" {
		return false
	}
	text = strings.NewReplacer("a-z", "a", "A-Z", "A", "0-9", "0").Replace(text)
	for i := range len(text) {
		if c := text[i]; !letterOrDigit(c) && c != '_' && c != ' ' && c != '.' && c != '/' {
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
	case strings.IndexByte("sSdDwW", c) >= 0:
		return atom{consumes: true}, true
	case strings.IndexByte(`\./-()[]{}*+?|^$`, c) >= 0:
		return atom{char: c, consumes: true}, true
	}
	return atom{}, false
}

// next is the byte at hand, 0 at the end.
func (p *plain) next() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

func letterOrDigit(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
