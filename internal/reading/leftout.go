package reading

import (
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/program"
	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
	"github.com/agent-hooks/agent-hooks/internal/reading/passage"
)

// LeftOut is what an allow for commands does not cover of a command that its pattern names (D126).
type LeftOut struct {
	Command string   // such as git log
	Options []string // that write, remove or run something, and that the pattern matches without naming them
	Alone   bool     // no table has all options of the program: the pattern decides about them
}

// LeftOutOf returns what an allow with a pattern leaves out, for each command with which a line that it
// matches can begin, as far as its literals say. covers reports whether the pattern matches a whole line.
func LeftOutOf(pattern string, covers func(line passage.Line) bool) (all []LeftOut) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil // of a look-around nobody knows
	}
	match := func(l shell.Invocation) bool { return covers(written(l)) }
	for _, b := range beginnings(re) {
		words := strings.Fields(b.text)
		if b.open && !strings.HasSuffix(b.text, " ") && len(words) > 0 {
			words = words[:len(words)-1]
		}
		if len(words) == 0 || slices.ContainsFunc(all, func(l LeftOut) bool { return l.Command == strings.Join(words, " ") }) {
			continue
		}
		var parsed []program.Word
		for _, w := range words {
			parsed = append(parsed, program.Literal(w))
		}
		p, _, listed := program.Parse(parsed)
		left := LeftOut{Command: strings.Join(words, " "), Alone: !listed || p.Is&program.Open != 0}
		for _, o := range p.Acting() {
			for _, more := range [][]string{{o}, {o, "x"}, {o + "=x"}} {
				l := shell.Invocation{Words: append(slices.Clone(words), more...)}
				if match(l) && l.Unnamed(match) != "" && !slices.Contains(left.Options, o) {
					left.Options = append(left.Options, o)
				}
			}
		}
		if left.Alone || left.Options != nil {
			all = append(all, left)
		}
	}
	return all
}

// beginning is a text with which what an expression matches can begin. open means that more may follow
// that is not literal.
type beginning struct {
	text string
	open bool
}

// maxBeginnings limits the alternatives of one expression.
const maxBeginnings = 64

// beginnings returns the texts with which what an expression matches can begin.
func beginnings(re *syntax.Regexp) (all []beginning) {
	switch re.Op {
	case syntax.OpLiteral:
		return []beginning{{text: string(re.Rune)}}
	case syntax.OpEmptyMatch, syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpWordBoundary:
		return []beginning{{}}
	case syntax.OpCapture:
		return beginnings(re.Sub[0])
	case syntax.OpQuest:
		return append([]beginning{{}}, beginnings(re.Sub[0])...)
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			all = append(all, beginnings(sub)...)
		}
		return all
	case syntax.OpConcat:
		all = []beginning{{}}
		for _, sub := range re.Sub {
			var next []beginning
			for _, b := range all {
				if b.open {
					next = append(next, b)
					continue
				}
				for _, more := range beginnings(sub) {
					next = append(next, beginning{b.text + more.text, more.open})
				}
			}
			if len(next) > maxBeginnings {
				return []beginning{{open: true}}
			}
			all = next
		}
		return all
	}
	return []beginning{{open: true}}
}
