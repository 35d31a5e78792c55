package shell

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/program"
)

// An allow covers what the options and the program texts of a command do only if its pattern names them
// (D126): the pattern must not match the line with anything else in their place.

// maxNamed limits the words of a line that a pattern must name.
const maxNamed = 16

// effect is a part of a word that an allow must name.
type effect struct{ word, from, to int }

// effects returns what an allow must name in a line.
func (l Invocation) effects() (all []effect) {
	p := parseLine(l)
	if len(l.Words) == 0 || !p.listed {
		return nil
	}
	for i := range p.args.Options {
		o := &p.args.Options[i]
		if o.Acts() {
			all = append(all, effect{o.At, o.Begin, o.Until})
		}
		switch {
		case o.Acts() && o.Does&program.Module == 0:
		case !o.Listed && p.row.Is&program.Open == 0, o.Does&program.Code != 0 && p.row.Runs&program.Language != 0:
			all = append(all, effect{o.At, o.Begin, o.Until})
		case o.Does&program.Module != 0 && o.Value > o.At:
			for _, e := range l.From(o.Value).effects() {
				e.word += o.Value
				all = append(all, e)
			}
		case o.Does&program.Code != 0 && o.Value >= 0 && !p.row.IsQuiet(p.argument(o)):
			all = append(all, effect{o.Value, o.From, len(l.Words[o.Value])})
		}
	}
	operands := p.args.Operands
	if last := len(operands) - 1; p.row.Is&program.Output != 0 && last > 0 {
		all = append(all, whole(l, operands[last]))
	}
	if p.row.Is&(program.Sed|program.Awk) != 0 && !p.args.Any(program.Instead) && len(operands) > 0 && !p.row.IsQuiet(l.Words[operands[0]]) {
		all = append(all, whole(l, operands[0]))
	}
	return all
}

func whole(l Invocation, word int) effect { return effect{word, 0, len(l.Words[word])} }

// Unnamed returns a word that a pattern must name and does not; "" if there is none.
func (l Invocation) Unnamed(match func(Invocation) bool) string {
	all := l.effects()
	for i, e := range all {
		if i == maxNamed || slices.ContainsFunc(e.others(l.Words[e.word]), func(text string) bool {
			other := Invocation{Words: slices.Clone(l.Words), Pieces: map[int][]Piece{}}
			for word, pieces := range l.Pieces {
				if word != e.word {
					other.Pieces[word] = pieces
				}
			}
			other.Words[e.word] = text
			return match(other)
		}) {
			return l.Words[e.word]
		}
	}
	return ""
}

// another is a letter that no pattern has.
const another = "ꙮ"

// others returns words in place of one that has an effect: with another letter for each of its letters,
// and quite different ones.
func (e effect) others(word string) (all []string) {
	all = []string{another, "-" + another, "--" + another, word[:e.from] + another + word[e.to:]}
	for _, letter := range "aekqxAEKQX" {
		changed := strings.Map(func(c rune) rune {
			if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
				return letter
			}
			return c
		}, word[e.from:e.to])
		if changed != word[e.from:e.to] {
			all = append(all, word[:e.from]+changed+word[e.to:])
		}
	}
	return all
}
