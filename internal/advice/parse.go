package advice

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxBytes is the maximum size of an expression.
const maxBytes = 8 << 10

// parse parses an expression that compiles. ok is false if it uses unsupported syntax, or is
// too large.
func parse(source string) (root *node, ok bool) {
	if len(source) > maxBytes || !utf8.ValidString(source) {
		return nil, false
	}
	p := parser{src: source}
	root = p.alternatives()
	root.Flags = p.flags
	return root, !p.failed && p.pos == len(source)
}

type parser struct {
	src    string
	pos    int
	flags  string
	failed bool
}

func (p *parser) fail() *node {
	p.failed = true
	return p.node(opaqueNode, p.pos)
}

func (p *parser) node(k kind, begin int) *node { return &node{Kind: k, Begin: begin, End: p.pos} }

// next returns the current byte, or 0 at the end.
func (p *parser) next() byte {
	if p.done() {
		return 0
	}
	return p.src[p.pos]
}

// nextIn reports whether the current byte is one of bytes.
func (p *parser) nextIn(bytes string) bool {
	return !p.done() && strings.IndexByte(bytes, p.src[p.pos]) >= 0
}

func (p *parser) done() bool { return p.failed || p.pos >= len(p.src) }

func (p *parser) skip(prefix string) bool {
	if p.done() || !strings.HasPrefix(p.src[p.pos:], prefix) {
		return false
	}
	p.pos += len(prefix)
	return true
}

func (p *parser) alternatives() *node {
	begin := p.pos
	branches := []*node{p.sequence()}
	for p.skip("|") {
		branches = append(branches, p.sequence())
	}
	if len(branches) == 1 {
		return branches[0]
	}
	n := p.node(altNode, begin)
	n.Children = branches
	return n
}

func (p *parser) sequence() *node {
	n := p.node(rowNode, p.pos)
	for !p.done() && !p.nextIn("|)") {
		if item := p.repeated(); item != nil {
			n.Children = append(n.Children, item)
		}
	}
	n.End = p.pos
	return n
}

// repeated parses one node and the quantifier after it.
func (p *parser) repeated() *node {
	begin := p.pos
	n := p.atom()
	if n == nil {
		return nil
	}
	low, high, ok := p.quantifier()
	if !ok {
		return n
	}
	p.skip("?")
	repeat := p.node(repeatNode, begin)
	repeat.Min, repeat.Max, repeat.Children = low, high, []*node{n}
	return repeat
}

func (p *parser) quantifier() (low, high int, ok bool) {
	switch {
	case p.skip("*"):
		return 0, -1, true
	case p.skip("+"):
		return 1, -1, true
	case p.skip("?"):
		return 0, 1, true
	}
	return p.counts()
}

// counts reads {m}, {m,}, {,n} or {m,n}; anything else is literal.
func (p *parser) counts() (low, high int, ok bool) {
	inner, _, closed := strings.Cut(strings.TrimPrefix(p.src[p.pos:], "{"), "}")
	from, to, comma := strings.Cut(inner, ",")
	literal := strings.Trim(inner, "0123456789,") != "" || strings.Contains(to, ",") || !comma && from == ""
	if p.next() != '{' || !closed || literal || len(inner) > 12 {
		return 0, 0, false
	}
	low, _ = strconv.Atoi("0" + from)
	switch {
	case !comma:
		high = low
	case to == "":
		high = -1
	default:
		high, _ = strconv.Atoi(to)
	}
	p.pos += len(inner) + len("{}")
	return low, high, true
}

func (p *parser) atom() *node {
	begin := p.pos
	switch c := p.next(); c {
	case '(':
		return p.group()
	case '[':
		return p.class()
	case '\\':
		return p.escape()
	case '.':
		p.pos++
		return p.node(anyNode, begin)
	case '^', '$':
		return p.char(assertNode, begin)
	case '*', '+', '?':
		return p.fail()
	}
	return p.char(charNode, begin)
}

// char reads one character as a node that begins at begin.
func (p *parser) char(k kind, begin int) *node {
	r, size := utf8.DecodeRuneInString(p.src[p.pos:])
	p.pos += size
	n := p.node(k, begin)
	n.Rune = r
	return n
}

// escape parses a backslash outside sets.
func (p *parser) escape() *node {
	begin := p.pos
	p.pos++
	switch c := p.next(); {
	case p.nextIn("bBAZz"):
		n := p.char(assertNode, begin)
		if c == 'z' {
			n.Rune = 'Z'
		}
		return n
	case p.nextIn("wWdDsSntrfva"):
		return p.char(classNode, begin)
	case c == 0 || c < utf8.RuneSelf && isWord(string(rune(c))) && c != '_':
		return p.fail() // a character by its number, a back-reference, or no escape
	}
	return p.char(charNode, begin)
}

// class reads a set in brackets.
func (p *parser) class() *node {
	begin := p.pos
	p.skip("[")
	p.skip("^")
	for first := true; first || p.next() != ']'; first = false {
		p.skip(`\`)
		if p.done() {
			return p.fail()
		}
		_, size := utf8.DecodeRuneInString(p.src[p.pos:])
		p.pos += size
	}
	p.skip("]")
	return p.node(classNode, begin)
}

// group parses parentheses. It returns nil for flag settings.
func (p *parser) group() *node {
	begin := p.pos
	n := &node{Kind: groupNode, Begin: begin}
	switch {
	case p.skip("(?="), p.skip("(?!"), p.skip("(?<="), p.skip("(?<!"):
		n.Kind = lookNode
	case p.skip("(?P<"), p.skip("(?<"):
		for !p.done() && !p.skip(">") {
			p.pos++
		}
	case p.skip("(?"):
		if !p.setFlags() {
			return nil
		}
	default:
		p.skip("(")
	}
	n.Children = []*node{p.alternatives()}
	if !p.skip(")") {
		return p.fail()
	}
	n.End = p.pos
	return n
}

// setFlags reads flags up to ) or :, and reports whether a group follows. It does not record
// where a flag applies, because the findings are certain with and without it.
func (p *parser) setFlags() (group bool) {
	begin := p.pos
	for p.nextIn("imsu-") {
		p.pos++
	}
	p.flags += strings.Trim(p.src[begin:p.pos], "u-")
	switch {
	case p.skip(":"):
		return true
	case !p.skip(")"): // (?x), (?>, (?# and conditions
		p.fail()
	}
	return false
}
