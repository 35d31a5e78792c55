package matcher

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// class translates a bracketed set. In Python a bracket inside a set is a
// character; the engine would read a subtraction or a POSIX class.
func (t *translator) class() {
	t.copy(1)
	if strings.HasPrefix(t.rest(), "^") {
		t.copy(1)
	}
	for first := true; t.pos < len(t.src) && t.err == nil; first = false {
		switch c := t.src[t.pos]; {
		case c == ']' && !first:
			t.copy(1)
			return
		case c == '\\':
			t.classEscape()
		case c == '[':
			t.replace(1, `\[`)
		default:
			t.copy(1)
		}
	}
}

func (t *translator) classEscape() {
	shorthand := strings.IndexByte("wWdDsS", t.next()) >= 0
	switch {
	case t.next() == '-':
		t.write(2, `\x2D`, `\-`) // the engine loses a range that ends in \-
	case t.next() >= '0' && t.next() <= '9':
		t.octal()
	default:
		t.commonEscape()
	}
	if rest := t.rest(); shorthand && len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
		t.differs("a range that begins with a class; Python's re rejects it, escape the hyphen")
	}
}

// next returns the byte after the backslash, 0 at the end.
func (t *translator) next() byte {
	if t.pos+1 < len(t.src) {
		return t.src[t.pos+1]
	}
	return 0
}

// escape translates a backslash outside a set.
func (t *translator) escape() {
	switch c := t.next(); {
	case c == 'Z':
		t.write(2, `\z`, `\z`)
	case c == 'z':
		t.differs(`\z; Python's re has it only from 3.14 on, \Z means the same in every version`)
		t.copy(2)
	case c == 'G':
		t.opaque = true
		t.differs(`\G; Python's re rejects it, \A means the same here`)
		t.copy(2)
	case c == 'k':
		t.angled()
	case c == '0':
		t.octal()
	case c >= '1' && c <= '9':
		t.number()
	default:
		t.commonEscape()
	}
}

// commonEscape translates escapes that mean the same inside and outside sets.
func (t *translator) commonEscape() {
	c := t.next()
	t.opaque = t.opaque || letterOrDigit(c) && strings.IndexByte("AbBdDsSwWaftnrv", c) < 0
	switch {
	case c == '_' || c == '<' || c == '\'':
		t.write(2, string(rune(c)), string(rune(c))) // the engine rejects \_ and reads \<x> as a reference
	case c == 'U':
		t.longEscape()
	case c == 'p' || c == 'P':
		t.differs(`\` + string(rune(c)) + `{…}; Python's re rejects it`)
		t.copy(2)
	case c == 'e':
		t.differs(`\e; Python's re rejects it, \x1b means the same`)
		t.copy(2)
	case c == 'c':
		t.differs(`\c…; Python's re rejects it, \x with two digits means the same`)
		t.copy(3)
	case c == 'x' && strings.HasPrefix(t.src[t.pos+2:], "{"):
		t.differs(`\x{…}; Python's re rejects it, \u or \U mean the same`)
		t.copy(3)
	case c >= utf8.RuneSelf:
		r, n := utf8.DecodeRuneInString(t.src[t.pos+1:])
		t.replace(1+n, fmt.Sprintf(`\x{%X}`, r)) // the engine rejects an escaped letter
	default:
		t.copy(2)
	}
}

// longEscape translates \U with eight digits.
func (t *translator) longEscape() {
	hex := t.src[t.pos+2:]
	if len(hex) < 8 {
		t.fail(`\U with less than eight hexadecimal digits`)
		return
	}
	r, err := strconv.ParseUint(hex[:8], 16, 32)
	if err != nil || r > utf8.MaxRune {
		t.fail(`\U%s, which is not a character`, hex[:8])
		return
	}
	t.replace(10, fmt.Sprintf(`\x{%X}`, r))
}

// number translates \1 … \99, or three octal digits, by Python's rule.
func (t *translator) number() {
	text, _ := digits(t.src[t.pos+1:])
	if len(text) >= 3 && octal(text[:3]) {
		t.octal()
		return
	}
	text = text[:min(2, len(text))]
	n, _ := strconv.Atoi(text)
	t.reference(1+len(text), n)
}

// octal writes up to three octal digits as one character.
func (t *translator) octal() {
	text, _ := digits(t.src[t.pos+1:])
	n := 0
	for n < min(3, len(text)) && octal(text[n:n+1]) {
		n++
	}
	r, err := strconv.ParseUint(text[:n], 8, 8)
	if err != nil {
		t.fail(`\%s, which is not an octal number up to 377`, text[:min(3, len(text))])
		return
	}
	t.replace(1+n, fmt.Sprintf(`\x%02X`, r))
}

func octal(digits string) bool { return strings.Trim(digits, "01234567") == "" }

// angled translates \k<name>, which the engine would number differently.
func (t *translator) angled() {
	t.differs(`\k<name>; Python's re requires (?P=name)`)
	name, _, ok := strings.Cut(t.src[t.pos+2:], ">")
	if !ok || !strings.HasPrefix(name, "<") {
		t.fail(`\k without <name>`)
		return
	}
	number := t.names[name[1:]]
	if text, rest := digits(name[1:]); rest == "" {
		number, _ = strconv.Atoi(text)
	}
	if number == 0 {
		t.fail("no group %q precedes this reference", name[1:])
		return
	}
	t.reference(2+len(name)+1, number)
}
