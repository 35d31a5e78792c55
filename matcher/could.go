package matcher

import (
	"regexp/syntax"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Passage is a text that is searched for a pattern (D78). Some of its words may be
// unknown.
type Passage struct {
	Text string // as it is shown
	// Parts are nil if the whole Text is known. Otherwise they are its known parts;
	// between two of them is nothing, or a space and any text. If the first is "",
	// the line begins with any text without a space.
	Parts []string
	// Names are other names of the same thing, for Matcher.Unless.
	Names []string
	// Other is another spelling of the same line, which is searched too; "" if there
	// is none. OtherParts are its Parts.
	Other      string
	OtherParts []string
}

// could reports whether the expression could be found in a line with unknown
// parts. It is true if that cannot be decided, or no time is left.
func (e *expression) could(parts []string, left *time.Duration) bool {
	if *left <= 0 {
		return true
	}
	began := time.Now()
	defer func() { *left -= time.Since(began) }()
	if !e.opened {
		e.opened = true
		e.program = compileOpen(e.source)
	}
	if e.program == nil {
		return true
	}
	const steps = 10_000_000
	m := open{prog: e.program, in: make([]bool, len(e.program.Inst)), left: steps}
	return m.search(parts)
}

// maxSimple is the size of a text in bytes up to which a plain expression is
// simulated. Starting the engine, and the clock for its timeout, takes longer than
// the simulation of a command.
const maxSimple = 1 << 10

// isSimple reports whether a text is short and printable ASCII, so that all dialects
// treat its characters alike.
func isSimple(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return len(text) <= maxSimple
}

// simulate searches a simple text for a plain expression without the engine
// (FuzzPlain).
func (e *expression) simulate(text string) (found, decided bool) {
	if !e.opened {
		e.opened, e.program = true, compileOpen(e.source)
	}
	if e.program == nil {
		return false, false
	}
	const steps = 1_000_000
	m := open{prog: e.program, in: make([]bool, len(e.program.Inst)), left: steps}
	found = m.search([]string{text})
	return found, m.left >= 0
}

// compileOpen compiles an expression that matches everything that source
// matches, and perhaps more; nil if there is none.
func compileOpen(source string) *syntax.Prog {
	t := translate(source)
	if t.err != nil || t.opaque {
		return nil
	}
	parsed, err := syntax.Parse(string(t.wide), syntax.Perl)
	if err != nil {
		return nil
	}
	const limit = 2000
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(program.Inst) > limit {
		return nil
	}
	return program
}

// open simulates a program on a line with unknown parts. It may accept more than
// the program, never less: characters outside ASCII match every set, and next to
// an unknown part every assertion holds.
type open struct {
	prog  *syntax.Prog
	state []uint32 // the instructions that the search may be at, before one that consumes a character
	in    []bool   // membership in the set that is being built
	found bool
	last  bool // nothing known follows the unknown part
	left  int  // steps until the search is undecided
}

// search reports whether the program can match somewhere in a line.
func (m *open) search(parts []string) bool {
	before, start := rune(-1), true // -1: the line's beginning
	for i, part := range parts {
		if i > 0 {
			m.last = strings.Join(parts[i:], "") == ""
			m.unknown(before, start)
			before, start = unknownRune, start && before == -1
		}
		for _, c := range part {
			m.enter(before, c, start)
			if m.found {
				return true
			}
			m.step(c)
			before, start = c, false
		}
	}
	m.enter(before, -1, start)
	return m.found
}

// unknownRune is next to an unknown part: it may be any character, or the
// beginning or end of the line.
const unknownRune = rune(-2)

// enter begins a match at this position, and follows the instructions that
// consume nothing.
func (m *open) enter(before, after rune, start bool) {
	from := append(m.state, uint32(m.prog.Start))
	m.state = nil
	clear(m.in)
	for _, pc := range from {
		m.follow(pc, before, after, start)
	}
}

// follow adds the instructions that are reached from pc.
func (m *open) follow(pc uint32, before, after rune, start bool) {
	if m.in[pc] || m.found {
		return
	}
	m.in[pc] = true
	if m.left--; m.left < 0 {
		m.found = true
	}
	switch inst := &m.prog.Inst[pc]; inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		m.follow(inst.Out, before, after, start)
		m.follow(inst.Arg, before, after, start)
	case syntax.InstCapture, syntax.InstNop:
		m.follow(inst.Out, before, after, start)
	case syntax.InstEmptyWidth:
		if m.holds(syntax.EmptyOp(inst.Arg), before, after, start) {
			m.follow(inst.Out, before, after, start)
		}
	case syntax.InstMatch:
		m.found = true
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		m.state = append(m.state, pc)
	}
}

// holds reports whether an assertion may hold between two characters.
func (m *open) holds(op syntax.EmptyOp, before, after rune, start bool) bool {
	if op&syntax.EmptyBeginText != 0 && !start {
		return false
	}
	if op&syntax.EmptyBeginLine != 0 && !start && before != unknownRune && before != '\n' {
		return false
	}
	if op&syntax.EmptyEndText != 0 && after != -1 && !(after == unknownRune && m.last) {
		return false
	}
	if op&syntax.EmptyEndLine != 0 && after != -1 && after != unknownRune && after != '\n' {
		return false
	}
	if before == unknownRune || after == unknownRune || before > unicode.MaxASCII || after > unicode.MaxASCII {
		return true
	}
	boundary := isWord(before) != isWord(after)
	if op&syntax.EmptyWordBoundary != 0 && !boundary || op&syntax.EmptyNoWordBoundary != 0 && boundary {
		return false
	}
	return true
}

func isWord(c rune) bool {
	return c == '_' || c >= 0 && c < utf8.RuneSelf && letterOrDigit(byte(c))
}

// step consumes a known character.
func (m *open) step(c rune) {
	var next []uint32
	for _, pc := range m.state {
		if inst := &m.prog.Inst[pc]; consumes(inst, c) {
			next = append(next, inst.Out)
		}
	}
	m.state = next
}

func consumes(inst *syntax.Inst, c rune) bool {
	if c < utf8.RuneSelf {
		return inst.MatchRune(c)
	}
	literal := inst.Op == syntax.InstRune1 || inst.Op == syntax.InstRune && len(inst.Rune) == 1 && syntax.Flags(inst.Arg)&syntax.FoldCase == 0
	return !literal || inst.MatchRune(c)
}

// unknown consumes nothing, or a space and then any text; at the beginning of the
// line, any text without a space.
func (m *open) unknown(before rune, start bool) {
	m.enter(before, unknownRune, start)
	first := before == -1 && start
	all := m.state // where nothing is consumed
	if !first {
		m.step(' ')
	}
	reached := make([]bool, len(m.prog.Inst))
	for todo := append(m.state, uint32(m.prog.Start)); len(todo) > 0 && !m.found; {
		m.state = nil
		clear(m.in)
		for _, pc := range todo {
			m.follow(pc, unknownRune, unknownRune, false)
		}
		todo = nil
		for _, pc := range m.state {
			if !reached[pc] {
				reached[pc] = true
				all = append(all, pc)
				if !first || !onlySpace(&m.prog.Inst[pc]) {
					todo = append(todo, m.prog.Inst[pc].Out)
				}
			}
		}
	}
	m.state = all
}

// onlySpace reports whether an instruction consumes nothing but white space.
func onlySpace(inst *syntax.Inst) bool {
	if inst.Op == syntax.InstRuneAny || inst.Op == syntax.InstRuneAnyNotNL {
		return false
	}
	for i := 0; i < len(inst.Rune); i += 2 {
		last := inst.Rune[min(i+1, len(inst.Rune)-1)]
		if inst.Rune[i] < '\t' || last > ' ' || inst.Rune[i] <= '\r' && last > '\r' || inst.Rune[i] > '\r' && inst.Rune[i] < ' ' {
			return false
		}
	}
	return true
}
