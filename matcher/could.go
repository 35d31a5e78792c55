package matcher

import (
	"regexp/syntax"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"
)

// could returns the unknown part because of which the expression could be found in
// a line, nil if it could not. It returns one if that cannot be decided, or no time
// is left.
func (e *expression) could(line Line, left *time.Duration) *Part {
	first := &line[slices.IndexFunc(line, func(p Part) bool { return p.Hole != Known })]
	if *left <= 0 {
		return first
	}
	if e.branches != nil {
		begin := ""
		if line[0].Hole == Known {
			begin = line[0].Text
		}
		s, ok := e.seek(begin, true)
		for i := range e.branches {
			b := &e.branches[i]
			if ok && !b.in(&s) {
				continue
			}
			if hole := e.searched(b).could(line, left); hole != nil {
				return hole
			}
		}
		return nil
	}
	if !e.opened {
		e.opened, e.program = true, compileOpen(e.source)
	}
	if e.program == nil {
		return first
	}
	m := newOpen(e.program, *left)
	found := m.search(line)
	*left = m.left
	if !found {
		return nil
	}
	if m.hole == nil {
		return first
	}
	return m.hole
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
func (e *expression) simulate(text string, left *time.Duration) (found, decided bool) {
	if !e.opened {
		e.opened, e.program = true, compileOpen(e.source)
	}
	if e.program == nil {
		return false, false
	}
	m := newOpen(e.program, *left)
	found = m.search(KnownLine(text))
	*left = m.left
	return found, *left >= 0
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
	prog     *syntax.Prog
	anchored bool     // a match begins at the beginning of the text
	state    []uint32 // the instructions that the search may be at, before one that consumes a character
	in       []bool   // membership in the set that is being built
	found    bool
	before   rune  // the previous character; -1 at the line's beginning
	start    bool  // nothing known precedes
	last     bool  // nothing known follows the unknown part
	hole     *Part // the unknown part that was last read
	left     time.Duration
}

// stepTime is what a step of a simulation counts. Steps are counted in place of time, so
// that a busy machine decides as an idle one.
const stepTime = 25 * time.Nanosecond

func newOpen(prog *syntax.Prog, left time.Duration) open {
	return open{prog: prog, anchored: prog.StartCond()&syntax.EmptyBeginText != 0, in: make([]bool, len(prog.Inst)), left: left, before: -1, start: true}
}

// search reports whether the program can match somewhere in a line.
func (m *open) search(line Line) bool {
	end := endOf(line)
	for i := range line {
		m.last = i >= end
		m.part(&line[i])
		if m.found {
			return true
		}
		if m.anchored && !m.start && len(m.state) == 0 {
			return false
		}
	}
	m.enter(-1)
	return m.found
}

// endOf returns the index from which on all parts may be empty.
func endOf(l Line) int {
	end := len(l)
	for end > 0 && (l[end-1].Hole != Known || l[end-1].Text == "") {
		end--
	}
	return end
}

// unknownRune is next to an unknown part: it may be any character, or the
// beginning or end of the line.
const unknownRune = rune(-2)

// part reads one part of a line.
func (m *open) part(p *Part) {
	switch p.Hole {
	case Known:
		m.state = slices.Clone(m.state)
		var spare []uint32
		for _, c := range p.Text {
			from := m.state
			m.enterTo(spare[:0], c)
			spare = from
			if m.found || m.anchored && !m.start && len(m.state) == 0 {
				return
			}
			m.step(c)
			m.before, m.start = c, false
		}
	case Words:
		m.hole = p
		m.words(p.Shape)
	default:
		m.hole = p
		m.enter(unknownRune)
		m.fill(p.Hole)
		m.before, m.start = unknownRune, m.start && m.before == -1
	}
}

// words reads any number of words of a shape, each after a space.
func (m *open) words(shape Line) {
	m.enter(unknownRune)
	all, start, before := m.state, m.start, m.before
	reached := m.set(all)
	last, end := m.last, endOf(shape)
	for grown := true; grown && !m.found; {
		grown = false
		m.state = slices.Clone(all)
		m.enter(' ')
		m.step(' ')
		m.before, m.start = ' ', false
		if shape == nil {
			m.enter(unknownRune)
			m.fill(Any)
		} else {
			hole := m.hole
			for i := range shape {
				m.last = last && i >= end
				m.part(&shape[i])
			}
			m.last = last
			m.hole = hole
			m.enter(unknownRune)
		}
		for _, pc := range m.state {
			if !reached[pc] {
				reached[pc], grown = true, shape != nil
				all = append(all, pc)
			}
		}
		m.before = unknownRune
	}
	m.state, m.before, m.start, m.last = all, unknownRune, start && before == -1, last
}

// set returns the membership of a list of instructions.
func (m *open) set(list []uint32) []bool {
	in := make([]bool, len(m.prog.Inst))
	for _, pc := range list {
		in[pc] = true
	}
	return in
}

// fill consumes any text of a kind, also none.
func (m *open) fill(kind Hole) {
	all := m.state
	reached := make([]bool, len(m.prog.Inst))
	first := true
	for todo := m.state; (len(todo) > 0 || first) && !m.found; first = false {
		var next []uint32
		for _, pc := range todo {
			if inst := &m.prog.Inst[pc]; !reached[pc] {
				reached[pc] = true
				if matches(kind, inst) && !(m.hole.Stage && only(inst, isBar)) {
					next = append(next, inst.Out)
				}
			}
		}
		m.state, m.before = next, unknownRune
		wasStart := m.start
		m.start = false
		m.enter(unknownRune)
		m.start = wasStart
		todo = nil
		for _, pc := range m.state {
			if !reached[pc] {
				todo = append(todo, pc)
				all = append(all, pc)
			}
		}
	}
	m.state = all
}

// matches reports whether an instruction consumes a character of an unknown part.
func matches(h Hole, inst *syntax.Inst) bool {
	switch h {
	case Unspaced:
		return !only(inst, isSpace)
	case Name, Filename:
		return !only(inst, isSlash)
	case UnspacedName:
		return !only(inst, func(c rune) bool { return isSpace(c) || isSlash(c) })
	}
	return true
}

func isSpace(c rune) bool { return c == ' ' || c >= '\t' && c <= '\r' }
func isSlash(c rune) bool { return c == '/' }
func isBar(c rune) bool   { return c == '|' }

// enter begins a match at this position, and follows the instructions that
// consume nothing. after is the next character.
func (m *open) enter(after rune) {
	m.enterTo(nil, after)
}

// enterTo is enter with the memory of to, which is not that of the state.
func (m *open) enterTo(to []uint32, after rune) {
	from := m.state
	m.state = to
	clear(m.in)
	for _, pc := range from {
		m.follow(pc, m.before, after, m.start)
	}
	if m.start || !m.anchored {
		m.follow(uint32(m.prog.Start), m.before, after, m.start)
	}
}

// follow adds the instructions that are reached from pc.
func (m *open) follow(pc uint32, before, after rune, start bool) {
	if m.in[pc] || m.found {
		return
	}
	m.in[pc] = true
	m.left -= stepTime
	if m.left < 0 {
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
	next := m.state[:0]
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

// only reports whether an instruction consumes no characters but those of a set of
// ASCII characters.
func only(inst *syntax.Inst, in func(rune) bool) bool {
	if inst.Op == syntax.InstRuneAny || inst.Op == syntax.InstRuneAnyNotNL {
		return false
	}
	for i := 0; i < len(inst.Rune); i += 2 {
		last := inst.Rune[min(i+1, len(inst.Rune)-1)]
		if last > unicode.MaxASCII {
			return false
		}
		for c := inst.Rune[i]; c <= last; c++ {
			if !in(c) {
				return false
			}
		}
	}
	return true
}
