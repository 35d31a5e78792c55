package advice

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// escape parses a backslash outside sets.
func (p *parser) escape() *node {
	begin := p.pos
	p.pos++
	switch c := p.next(); {
	case strings.IndexByte("bBAZz", c) >= 0 && c != 0:
		p.pos++
		n := p.node(assertNode, begin)
		n.Rune = rune(c)
		if c == 'z' {
			n.Rune = 'Z'
		}
		return n
	case strings.IndexByte("wWdDsS", c) >= 0 && c != 0:
		p.pos++
		n := p.node(classNode, begin)
		n.Set.Classes = string(rune(c))
		return n
	case c >= '1' && c <= '9':
		for p.next() >= '0' && p.next() <= '9' {
			p.pos++
		}
		return p.node(opaqueNode, begin) // a back-reference, or three octal digits
	}
	r := p.escaped()
	n := p.node(charNode, begin)
	n.Rune = r
	return n
}

// escaped parses the rest of an escape that means one character, after the backslash.
func (p *parser) escaped() rune {
	c := p.next()
	const letters, means = "ntrfva", "\n\t\r\f\v\a"
	if i := strings.IndexByte(letters, c); i >= 0 && c != 0 {
		p.pos++
		return rune(means[i])
	}
	switch {
	case c == 'x':
		return p.digits(2, 16)
	case c == 'u':
		return p.digits(4, 16)
	case c == 'U':
		return p.digits(8, 16)
	case c == '0':
		return p.octal()
	case c == 0 || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '1' && c <= '9':
		p.fail()
		return 0
	}
	r, size := utf8.DecodeRuneInString(p.src[p.pos:])
	p.pos += size
	return r
}

// digits reads n digits after a letter.
func (p *parser) digits(n, base int) rune {
	if p.pos+1+n > len(p.src) {
		p.fail()
		return 0
	}
	value, err := strconv.ParseUint(p.src[p.pos+1:p.pos+1+n], base, 32)
	if err != nil || value > utf8.MaxRune {
		p.fail()
		return 0
	}
	p.pos += 1 + n
	return rune(value)
}

func (p *parser) octal() rune {
	begin := p.pos
	for p.pos < len(p.src) && p.pos-begin < 3 && p.src[p.pos] >= '0' && p.src[p.pos] <= '7' {
		p.pos++
	}
	value, _ := strconv.ParseUint(p.src[begin:p.pos], 8, 32)
	return rune(value)
}

// class reads a set in brackets.
func (p *parser) class() *node {
	begin := p.pos
	p.skip("[")
	var s set
	s.Negated = p.skip("^")
	for first := true; ; first = false {
		if p.done() {
			return p.fail()
		}
		if p.next() == ']' && !first {
			break
		}
		p.member(&s)
	}
	p.skip("]")
	n := p.node(classNode, begin)
	n.Set = s
	return n
}

// member reads a shorthand, a character or a range.
func (p *parser) member(s *set) {
	begin := p.pos
	from, shorthand := p.memberRune()
	if shorthand != 0 {
		s.Classes += string(rune(shorthand))
		return
	}
	to := from
	if rest := p.src[p.pos:]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
		p.pos++
		if to, shorthand = p.memberRune(); shorthand != 0 {
			p.fail()
		}
	}
	s.Ranges = append(s.Ranges, runes{from, to, begin, p.pos})
}

func (p *parser) memberRune() (r rune, shorthand byte) {
	if p.next() != '\\' {
		r, size := utf8.DecodeRuneInString(p.src[p.pos:])
		p.pos += size
		return r, 0
	}
	p.pos++
	c := p.next()
	switch {
	case c != 0 && strings.IndexByte("wWdDsS", c) >= 0:
		p.pos++
		return 0, c
	case c == 'b':
		p.pos++
		return '\b', 0
	}
	return p.escaped(), 0
}
