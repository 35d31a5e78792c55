package parse

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// MaxWords limits the words from brace expansions.
const MaxWords = 16384

// braces expands the braces of a word.
type braces struct {
	left   int // words that may still be made
	causes []string
}

func (b *braces) note(format string, args ...any) {
	b.causes = append(b.causes, fmt.Sprintf(format, args...))
}

// Expansion is what a shell makes of a word by the braces in it.
type Expansion struct {
	Words  [][]syntax.WordPart
	Spent  int      // the words that it took to make them
	Causes []string // what is wrong with them
	Joined bool     // a part of one joins the name of a variable
}

// Braces expands the braces of a word, of which left words may be made.
func Braces(w *syntax.Word, left int) (e Expansion) {
	parts := splitBraces(w)
	b := braces{left: left}
	e.Words = b.expand(parts)
	e.Joined = len(parts) > 1 && slices.ContainsFunc(e.Words, isJoined)
	e.Spent, e.Causes = left-b.left, b.causes
	return e
}

// splitBraces returns the parts of a word, with the braces that syntax.Walk does not support.
func splitBraces(w *syntax.Word) []syntax.WordPart {
	split := *w
	syntax.SplitBraces(&split)
	return split.Parts
}

// HasBraces reports whether the shell expands braces of a word.
func HasBraces(w *syntax.Word) bool {
	return slices.ContainsFunc(splitBraces(w), func(p syntax.WordPart) bool {
		_, ok := p.(*syntax.BraceExp)
		return ok
	})
}

func (b *braces) expand(parts []syntax.WordPart) [][]syntax.WordPart {
	all := [][]syntax.WordPart{nil}
	for _, part := range parts {
		brace, ok := part.(*syntax.BraceExp)
		if !ok {
			for i := range all {
				all[i] = append(all[i], part)
			}
			continue
		}
		choices := b.choices(brace)
		b.left -= len(all) * len(choices)
		if b.left < 0 {
			b.note("its braces make more than %d words", MaxWords)
			choices = choices[:min(1, len(choices))]
		}
		var longer [][]syntax.WordPart
		for _, before := range all {
			for _, choice := range choices {
				longer = append(longer, append(before[:len(before):len(before)], choice...))
			}
		}
		all = longer
	}
	return all
}

// choices returns the alternatives of a brace expression.
func (b *braces) choices(brace *syntax.BraceExp) [][]syntax.WordPart {
	var all [][]syntax.WordPart
	if brace.Sequence {
		for _, text := range b.sequence(brace) {
			all = append(all, []syntax.WordPart{&syntax.Lit{Value: text}})
		}
		return all
	}
	for _, e := range brace.Elems {
		all = append(all, b.expand(e.Parts)...)
	}
	return all
}

// sequence returns the words of {a..b..step}.
func (b *braces) sequence(brace *syntax.BraceExp) []string {
	first, last := brace.Elems[0].Lit(), brace.Elems[1].Lit()
	from, err1 := strconv.ParseInt(first, 10, 32)
	to, err2 := strconv.ParseInt(last, 10, 32)
	spell := func(n int64) string { return strconv.FormatInt(n, 10) }
	if err1 != nil || err2 != nil {
		if len(first) != 1 || len(last) != 1 {
			b.note("its braces have a sequence that is not of numbers or letters")
			return []string{first, last}
		}
		from, to = int64(first[0]), int64(last[0])
		spell = func(n int64) string { return "\\" + string(rune(n)) }
	}
	step := int64(1)
	if len(brace.Elems) > 2 {
		step, _ = strconv.ParseInt(brace.Elems[2].Lit(), 10, 32)
		step = max(step, -step, 1)
	}
	if max(to-from, from-to)/step >= MaxWords {
		b.note("its braces make more than %d words", MaxWords)
		to = from
	}
	var all []string
	for n := from; from <= to && n <= to || from > to && n >= to; {
		all = append(all, spell(n))
		n += step
		if from > to {
			n -= 2 * step
		}
	}
	return all
}

// isJoined reports whether parts from a brace expansion are another expansion together: {a,$x}y is a
// and $xy.
func isJoined(parts []syntax.WordPart) bool {
	open, dollar, escape := false, false, false // the parts so far end in a name, in $ or in a backslash
	for _, part := range parts {
		lit, isLit := part.(*syntax.Lit)
		if isLit && lit.Value == "" {
			continue
		}
		if dollar && !(isLit && strings.ContainsRune("/.,:%", rune(lit.Value[0]))) || escape || open && isLit && IsNameByte(lit.Value[0]) {
			return true
		}
		p, ok := part.(*syntax.ParamExp)
		open = ok && p.Short && p.Param != nil && p.Param.Value > "9" && len(Names(p.Param.Value)) > 0
		dollar, escape = false, false
		if isLit {
			text, ends := strings.CutSuffix(lit.Value, "$")
			escaped := (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
			dollar, escape = ends && !escaped, !ends && escaped
		}
	}
	return false
}
