package matcher

import (
	"regexp/syntax"
	"slices"
	"strings"
	"time"
)

// exception is an expression that excepts the lines that it matches as a whole.
type exception struct {
	source string // "" if only the engine decides
	part   expression
	// exact decides for a line of ASCII characters, also with unknown parts; nil if the
	// expression may mean something else in Python.
	exact *syntax.Prog
	whole expression // decides for other texts
}

// newException returns the exception of an expression; an *Error if it does not compile.
func newException(source string) (*exception, error) {
	x := &exception{source: source, part: newExpression("unless", source), whole: newExpression("unless", whole(source))}
	err := x.part.prepare()
	notSimulated := func(b branch) bool { return !x.part.simulates(&b) }
	if x.part.branches == nil || slices.ContainsFunc(x.part.branches, notSimulated) || strings.Contains(source, `\b`) || strings.Contains(source, `\B`) {
		x.source = ""
	}
	return x, err
}

// excepts reports whether the exception matches a whole line for every value of its
// unknown parts. It is false if that cannot be decided.
func (x *exception) excepts(line Line, left *time.Duration) bool {
	text, known := line.Known()
	switch {
	case known && x.part.excludes(text, false):
		return false
	case known && (!x.compile() || !isSimple(strings.ReplaceAll(text, "␣", " "))):
		found, err := x.whole.search(text, left)
		return found && err == nil
	}
	return x.compile() && every(x.exact, line, left)
}

// compile reports whether exact can decide.
func (x *exception) compile() bool {
	if x.exact == nil && x.source != "" {
		if parsed, err := syntax.Parse(x.source, syntax.Perl); err == nil {
			x.exact, _ = syntax.Compile(parsed.Simplify())
		}
		x.source = ""
	}
	return x.exact != nil
}

// maxEvery limits the steps of a comparison with every value of the unknown parts.
const maxEvery = 200_000

// every reports whether a program matches the whole line for every value of its
// unknown parts. It is false if that cannot be decided.
func every(program *syntax.Prog, line Line, left *time.Duration) bool {
	if *left <= 0 {
		return false
	}
	v := subsets{prog: program, left: maxEvery}
	defer func() { *left -= time.Duration(maxEvery-v.left) * 2 * stepTime }()
	v.sets = map[string][]uint32{}
	v.add(v.sets, []uint32{uint32(program.Start)}, true)
	for _, part := range line {
		v.part(part)
	}
	for _, set := range v.sets {
		if !v.accepts(set) {
			return false
		}
	}
	return len(v.sets) > 0 && v.left > 0
}

// subsets are the sets of instructions at which the program may be, one for each
// value of the unknown parts so far.
type subsets struct {
	prog *syntax.Prog
	sets map[string][]uint32
	left int
}

// part reads one part of a line.
func (v *subsets) part(p Part) {
	if p.Hole == Known {
		for _, c := range p.Text {
			next := map[string][]uint32{}
			for _, set := range v.sets {
				v.step(next, set, c)
			}
			v.sets = next
		}
		return
	}
	begun, fresh := v.sets, v.sets
	if p.Hole == Below || p.Hole == Filename || p.Hole == Words {
		next := map[string][]uint32{}
		for _, set := range v.sets {
			for _, c := range alphabet {
				if p.Hole == Words && c == ' ' || p.Hole != Words && c != '/' && c != '\n' {
					v.step(next, set, c)
				}
			}
		}
		fresh = next
		if p.Hole != Words {
			begun = map[string][]uint32{}
		}
	}
	all := map[string][]uint32{}
	for key, set := range begun {
		all[key] = set
	}
	var queue [][]uint32
	for key, set := range fresh {
		all[key] = set
		queue = append(queue, set)
	}
	for ; len(queue) > 0 && v.left > 0; queue = queue[1:] {
		next := map[string][]uint32{}
		for _, c := range alphabet {
			if has(p.Hole, c) && !(p.Stage && c == '|') {
				v.step(next, queue[0], c)
			}
		}
		for key, set := range next {
			if _, ok := all[key]; !ok {
				all[key] = set
				queue = append(queue, set)
			}
		}
	}
	v.sets = all
}

// alphabet are the characters of unknown parts that are compared: those of which an
// expression that is plain can name one, and one of all others.
const alphabet = "\n !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~" + placeholder

// has reports whether the value of an unknown part may have a character. Names of
// files have no newline.
func has(h Hole, c rune) bool {
	switch h {
	case Any:
		return true
	case Unspaced:
		return !isSpace(c)
	case Name, Filename:
		return !isSlash(c) && c != '\n'
	case UnspacedName:
		return !isSpace(c) && !isSlash(c)
	}
	return c != '\n'
}

// step adds the set after a character.
func (v *subsets) step(to map[string][]uint32, set []uint32, c rune) {
	var next []uint32
	for _, pc := range set {
		switch inst := &v.prog.Inst[pc]; inst.Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if inst.MatchRune(c) {
				next = append(next, inst.Out)
			}
		}
	}
	v.add(to, next, false)
}

// add adds the set of the instructions that are reached from some without a
// character.
func (v *subsets) add(to map[string][]uint32, from []uint32, begin bool) {
	seen := map[uint32]bool{}
	var set []uint32
	for queue := from; len(queue) > 0; queue = queue[1:] {
		pc := queue[0]
		v.left--
		if seen[pc] || v.left < 0 {
			continue
		}
		seen[pc] = true
		switch inst := &v.prog.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			queue = append(queue, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			queue = append(queue, inst.Out)
		case syntax.InstEmptyWidth:
			op := syntax.EmptyOp(inst.Arg)
			if begin && (op == syntax.EmptyBeginText || op == syntax.EmptyBeginLine) {
				queue = append(queue, inst.Out)
			} else if op == syntax.EmptyEndText {
				set = append(set, pc)
			}
		case syntax.InstFail:
		default:
			set = append(set, pc)
		}
	}
	slices.Sort(set)
	var key strings.Builder
	for _, pc := range set {
		key.WriteRune(rune(pc))
	}
	to[key.String()] = set
}

// accepts reports whether the program matches at the end of the text.
func (v *subsets) accepts(set []uint32) bool {
	seen := map[uint32]bool{}
	for queue := slices.Clone(set); len(queue) > 0; queue = queue[1:] {
		pc := queue[0]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch inst := &v.prog.Inst[pc]; inst.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			queue = append(queue, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			queue = append(queue, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg) == syntax.EmptyEndText {
				queue = append(queue, inst.Out)
			}
		}
	}
	return false
}
