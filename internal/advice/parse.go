package advice

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// mostDepth bounds groups inside groups, mostBytes an expression.
const (
	mostDepth = 100
	mostBytes = 8 << 10
)

// parse parses an expression that compiles. ok is false if it uses unsupported syntax, or is
// too large.
func parse(source string) (root *node, ok bool) {
	if len(source) > mostBytes || !utf8.ValidString(source) {
		return nil, false
	}
	p := parser{src: source}
	root = p.alternatives()
	return root, !p.failed && p.pos == len(source)
}

type flags struct{ fold, lines, dotAll bool }

type parser struct {
	src    string
	pos    int
	depth  int
	flags  flags // those in force
	failed bool
}

func (p *parser) fail() *node {
	p.failed = true
	return p.node(opaqueNode, p.pos)
}

func (p *parser) node(k kind, begin int) *node {
	return &node{Kind: k, Begin: begin, End: p.pos, Fold: p.flags.fold, Lines: p.flags.lines, DotAll: p.flags.dotAll}
}

// next returns the current byte, or 0 at the end.
func (p *parser) next() byte {
	if p.pos < len(p.src) && !p.failed {
		return p.src[p.pos]
	}
	return 0
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
	begin, before := p.pos, p.flags
	branches := []*node{p.sequence()}
	for p.skip("|") {
		branches = append(branches, p.sequence())
	}
	n := branches[0]
	if len(branches) > 1 {
		n = p.node(altNode, begin)
		n.Children = branches
	}
	p.flags = before
	return n
}

func (p *parser) sequence() *node {
	n := p.node(rowNode, p.pos)
	for !p.done() && p.next() != '|' && p.next() != ')' {
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
	if n == nil || p.failed {
		return n
	}
	low, high, ok := p.quantifier()
	if !ok {
		return n
	}
	p.skip("?")
	if c := p.next(); c == '*' || c == '+' || c == '?' {
		return p.fail()
	}
	repeat := p.node(repeatNode, begin)
	repeat.Min, repeat.Max, repeat.Children = low, high, []*node{n}
	return repeat
}

func (p *parser) quantifier() (low, high int, ok bool) {
	switch p.next() {
	case '*':
		p.pos++
		return 0, -1, true
	case '+':
		p.pos++
		return 1, -1, true
	case '?':
		p.pos++
		return 0, 1, true
	case '{':
		return p.counts()
	}
	return 0, 0, false
}

// counts reads {m}, {m,}, {,n} or {m,n}; anything else is literal.
func (p *parser) counts() (low, high int, ok bool) {
	inner, _, closed := strings.Cut(p.src[p.pos+1:], "}")
	from, to, comma := strings.Cut(inner, ",")
	if !closed || strings.Trim(inner, "0123456789,") != "" || strings.Contains(to, ",") || !comma && from == "" || len(inner) > 12 {
		return 0, 0, false
	}
	low, _ = strconv.Atoi("0" + from)
	high = low
	if comma {
		high = -1
		if to != "" {
			high, _ = strconv.Atoi(to)
		}
	}
	p.pos += len(inner) + len("{}")
	return low, high, true
}

func (p *parser) atom() *node {
	begin := p.pos
	switch p.next() {
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
		p.pos++
		n := p.node(assertNode, begin)
		n.Rune = rune(p.src[begin])
		return n
	case '*', '+', '?':
		return p.fail()
	}
	return p.char()
}

func (p *parser) char() *node {
	begin := p.pos
	r, size := utf8.DecodeRuneInString(p.src[p.pos:])
	p.pos += size
	n := p.node(charNode, begin)
	n.Rune = r
	return n
}

// group parses parentheses. It returns nil for flag settings and comments.
func (p *parser) group() *node {
	begin := p.pos
	if p.depth++; p.depth > mostDepth {
		return p.fail()
	}
	defer func() { p.depth-- }()
	before := p.flags
	k := groupNode
	negative, behind := false, false
	switch {
	case p.skip("(?:"):
	case p.skip("(?="):
		k = lookNode
	case p.skip("(?!"):
		k, negative = lookNode, true
	case p.skip("(?<="):
		k, behind = lookNode, true
	case p.skip("(?<!"):
		k, negative, behind = lookNode, true, true
	case p.skip("(?P<"), p.skip("(?<"):
		p.until('>')
	case p.skip("(?P="):
		p.until(')')
		return p.node(opaqueNode, begin)
	case p.skip("(?#"):
		p.until(')')
		return nil
	case p.skip("(?"):
		if !p.setFlags() {
			return nil
		}
	default:
		p.skip("(")
	}
	inner := p.alternatives()
	if !p.skip(")") {
		return p.fail()
	}
	p.flags = before
	n := p.node(k, begin)
	n.Negative, n.Behind, n.Children = negative, behind, []*node{inner}
	return n
}

func (p *parser) until(end byte) {
	i := strings.IndexByte(p.src[p.pos:], end)
	if i < 0 {
		p.fail()
		return
	}
	p.pos += i + 1
}

// setFlags reads flags up to ) or :, and reports whether a group follows.
func (p *parser) setFlags() (group bool) {
	on := true
	for !p.done() {
		c := p.next()
		p.pos++
		switch c {
		case 'i':
			p.flags.fold = on
		case 'm':
			p.flags.lines = on
		case 's':
			p.flags.dotAll = on
		case 'u':
		case '-':
			on = false
		case ')':
			return false
		case ':':
			return true
		default: // (?x), (?> and conditions
			p.fail()
		}
	}
	p.fail()
	return false
}
