package matcher

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// syntaxError is a place in an expression that the translation rejects.
type syntaxError struct {
	offset  int // bytes
	message string
}

func (e *syntaxError) Error() string { return e.message }

// group is an open parenthesis.
type group struct {
	number  int  // 0: non-capturing
	verbose bool // the mode to restore after the group
	behind  bool // a look-behind, or inside one
	one     bool // a condition with one branch so far

	// A look-around matches more in wide: nothing. These are its beginning there,
	// and opaque before it.
	around bool
	wide   int
	opaque bool
}

// translator rewrites an expression of Python's re into the engine's dialect,
// so that it matches the same strings. Names become numbers, because the engine
// numbers named groups after all others.
type translator struct {
	src string
	pos int
	out []byte

	// wide is an expression in the syntax of Go's regexp that matches everything
	// that src matches, and perhaps more, unless opaque is set.
	wide   []byte
	opaque bool

	groups  int            // capturing groups so far
	names   map[string]int // the groups' numbers by name
	open    []group
	verbose bool // spaces and #-comments are ignored
	started bool // something other than a global flag has been read

	negative    bool // it has a negative look-around
	differences []Difference
	err         *syntaxError
}

// translate translates source and returns the translator. Its err is set if
// source is rejected.
func translate(source string) *translator {
	t := &translator{src: source, out: make([]byte, 0, len(source)+16), wide: make([]byte, 0, len(source)+16)}
	for t.pos < len(t.src) && t.err == nil {
		t.step()
	}
	return t
}

func (t *translator) step() {
	c := t.src[t.pos]
	if t.verbose && (c == '#' || strings.IndexByte(" \t\n\r\v\f", c) >= 0) {
		t.blank(c)
		return
	}
	if c == '(' {
		t.group()
		return
	}
	t.started = true
	switch c {
	case '\\':
		t.escape()
	case '[':
		t.class()
	case ')':
		t.leave()
	case '|':
		t.branch()
	case '{':
		t.repeat()
	case '*', '+', '?':
		t.quantifier()
	default:
		t.copy(1)
	}
}

func (t *translator) rest() string { return t.src[t.pos:] }

func (t *translator) copy(n int) {
	n = min(n, len(t.src)-t.pos)
	t.write(n, t.src[t.pos:t.pos+n], t.src[t.pos:t.pos+n])
}

// replace translates n bytes that have no equivalent in wide.
func (t *translator) replace(n int, by string) {
	t.opaque = true
	t.write(n, by, "")
}

// write translates n bytes.
func (t *translator) write(n int, out, wide string) {
	t.out, t.wide = append(t.out, out...), append(t.wide, wide...)
	t.pos += n
}

func (t *translator) fail(format string, args ...any) {
	if t.err == nil {
		t.err = &syntaxError{t.pos, fmt.Sprintf(format, args...)}
	}
}

func (t *translator) differs(message string) {
	t.differences = append(t.differences, Difference{t.pos, message})
}

// blank copies a space or a comment, which (?x) makes insignificant.
func (t *translator) blank(c byte) {
	if c != '#' {
		t.copy(1)
		return
	}
	end := strings.IndexByte(t.rest(), '\n')
	if end < 0 {
		end = len(t.rest())
	}
	t.copy(end)
}

func (t *translator) enter(g group) {
	g.verbose, g.wide, g.opaque = t.verbose, len(t.wide), t.opaque
	g.behind = g.behind || t.behind()
	t.open = append(t.open, g)
}

func (t *translator) leave() {
	if n := len(t.open); n > 0 {
		g := t.open[n-1]
		if g.one {
			t.out = append(t.out, '|') // without it the engine fails if the group is not set
		}
		if g.around {
			t.wide, t.opaque = append(t.wide[:g.wide], "(?:"...), g.opaque
		}
		t.verbose = g.verbose
		t.open = t.open[:n-1]
	}
	t.copy(1)
}

func (t *translator) branch() {
	if n := len(t.open); n > 0 {
		t.open[n-1].one = false
	}
	t.copy(1)
}

func (t *translator) behind() bool {
	n := len(t.open)
	return n > 0 && t.open[n-1].behind
}

// repeat copies {m,n}. The engine reads {,n} literally; in Python it means
// {0,n}.
func (t *translator) repeat() {
	low, rest := digits(t.src[t.pos+1:])
	comma := strings.HasPrefix(rest, ",")
	high := low
	if comma {
		high, rest = digits(rest[1:])
	}
	if !strings.HasPrefix(rest, "}") || !comma && low == "" {
		t.copy(1)
		return
	}
	if low != high {
		t.variable()
	}
	n := len(t.rest()) - len(rest) + 1
	out, wide := t.rest()[:n], "{"+number(low)
	if low == "" {
		out = "{0," + high + "}"
	}
	if comma && high != "" {
		wide += "," + number(high)
	} else if comma {
		wide += ","
	}
	t.write(n, out, wide+"}")
}

// number returns a number without leading zeros, with which Go reads a repetition
// literally; 0 for "".
func number(digits string) string {
	return cmp.Or(strings.TrimLeft(digits, "0"), "0")
}

func (t *translator) quantifier() {
	lazy := t.src[t.pos] == '?' && t.pos > 0 && strings.IndexByte("*+?}", t.src[t.pos-1]) >= 0
	if !lazy {
		t.variable()
	}
	t.copy(1)
}

func (t *translator) variable() {
	if t.behind() {
		t.differs("a look-behind of variable width; Python's re rejects it")
	}
}

func digits(s string) (number, rest string) {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return s[:n], s[n:]
}

// reference writes a back-reference to a completed group.
func (t *translator) reference(length, number int) {
	if number < 1 || number > t.groups {
		t.fail("no group %d precedes this reference", number)
		return
	}
	for _, g := range t.open {
		if g.number == number {
			t.fail("a reference to group %d inside itself", number)
			return
		}
	}
	t.write(length, `\k<`+strconv.Itoa(number)+`>`, "(?s:.*)")
}

// identifier reports whether s is a valid group name in Python.
func identifier(s string) bool {
	for i, r := range s {
		letter := r == '_' || unicode.IsLetter(r)
		if !letter && (i == 0 || !unicode.In(r, unicode.N, unicode.Mn, unicode.Mc)) {
			return false
		}
	}
	return s != "" && utf8.ValidString(s)
}
