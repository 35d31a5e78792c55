package reading

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
	"github.com/agent-hooks/agent-hooks/internal/reading/passage"
)

// maxOptions is the number of lines without leading options that are searched.
const maxOptions = 64

// passageOf returns a command as it is searched: as written, and with the base name
// of its program in lower case, because some systems fold it; each also without its
// leading options; and each both with the white space inside words and with marks in
// its place (D92). complete is false if it has more options than are searched.
func passageOf(l shell.Invocation) (p passage.Passage, complete bool) {
	all, complete := withoutOptions(l)
	base := l.Base()
	base.Words = slices.Clone(base.Words)
	base.Words[0] = strings.ToLower(base.Words[0])
	if base.Words[0] != l.Words[0] {
		based, _ := withoutOptions(base)
		all = append(all, based...)
	}
	p.Text = text(l.Words)
	if len(all) == 1 && len(l.Pieces) == 0 && !hasMarks(l) {
		return p, complete
	}
	p.Whole = []passage.Line{Marked(l)}
	for _, l := range all {
		p.Lines = appendNew(p.Lines, spaced(l))
		marked := Marked(l)
		if hasMarks(l) {
			p.Lines = appendNew(p.Lines, marked)
		}
		p.Marked = append(p.Marked, marked)
	}
	return p, complete
}

// appendNew appends a line that lines lacks.
func appendNew(lines []passage.Line, line passage.Line) []passage.Line {
	var same func(a, b passage.Part) bool
	same = func(a, b passage.Part) bool {
		return a.Hole == b.Hole && (a.Hole != passage.Known || a.Text == b.Text) && (a.Shape == nil) == (b.Shape == nil) && slices.EqualFunc(a.Shape, b.Shape, same)
	}
	if slices.ContainsFunc(lines, func(l passage.Line) bool { return slices.EqualFunc(l, line, same) }) {
		return lines
	}
	return append(lines, line)
}

// text joins words by one space.
func text(words []string) string { return strings.Join(strings.Fields(strings.Join(words, " ")), " ") }

// withoutOptions returns a line, and the same without its leading options, each of
// them with and without the next word as its value. Options are leading if a word
// follows them, or may follow them. An unknown word may be an option.
func withoutOptions(l shell.Invocation) (lines []shell.Invocation, complete bool) {
	lines = []shell.Invocation{l}
	if len(l.Words) < 2 || !mayBeOption(l, 1) {
		return lines, true
	}
	const yes, unknown = 1, 2 // the words before an index are options, or an unknown one is among them
	reached := make([]byte, len(l.Words)+3)
	reached[1] = yes
	for at := 1; at <= len(l.Words); at++ {
		if reached[at] == 0 {
			continue
		}
		option := at < len(l.Words) && mayBeOption(l, at)
		if option && l.Words[at] != "--" {
			how := reached[at]
			if isUnknown(l, at) || splits(l, at) {
				how = unknown
			}
			reached[at+1] = max(reached[at+1], how)
			if how == unknown || !strings.Contains(l.Words[at], "=") {
				if splits(l, at+1) {
					how = unknown
				}
				reached[at+2] = max(reached[at+2], how)
			}
			continue
		}
		if len(lines) > maxOptions {
			return lines, false
		}
		if option {
			lines = append(lines, from(l, at+1, reached[at] == unknown))
		} else if at > 1 && (at < len(l.Words) || reached[at] == unknown) {
			lines = append(lines, from(l, at, reached[at] == unknown))
		}
	}
	return lines, true
}

// from returns a line without the words before the index at, except the first. An
// unknown word among them may be any others.
func from(l shell.Invocation, at int, unknown bool) shell.Invocation {
	rest := l.From(at)
	less := shell.Invocation{Words: []string{l.Words[0]}, Command: l.Command, Pieces: map[int][]shell.Piece{}}
	if l.Pieces[0] != nil {
		less.Pieces[0] = l.Pieces[0]
	}
	if unknown {
		less.Words = append(less.Words, "…")
		less.Pieces[1] = []shell.Piece{{Text: "…", Kind: shell.Unquoted}}
	}
	for i, pieces := range rest.Pieces {
		less.Pieces[i+len(less.Words)] = pieces
	}
	less.Words = append(less.Words, rest.Words...)
	return less
}

// mayBeOption reports whether a word begins with a hyphen, or with what is unknown.
func mayBeOption(l shell.Invocation, at int) bool {
	return isUnknown(l, at) || len(l.Words[at]) > 1 && l.Words[at][0] == '-'
}

// splits reports whether a word may be several.
func splits(l shell.Invocation, at int) bool {
	return slices.ContainsFunc(l.Pieces[at], func(p shell.Piece) bool { return p.Kind == shell.Unquoted || p.Kind == shell.Glob })
}

func isUnknown(l shell.Invocation, at int) bool {
	pieces := l.Pieces[at]
	return len(pieces) > 0 && pieces[0].Kind != shell.Literal
}

// hasMarks reports whether a line is different with marks: a word is empty or has
// white space.
func hasMarks(l shell.Invocation) bool {
	for i, w := range l.Words {
		if pieces := l.Pieces[i]; pieces == nil && (w == "" || strings.ContainsFunc(w, unicode.IsSpace)) ||
			slices.ContainsFunc(pieces, func(p shell.Piece) bool {
				return p.Kind == shell.Literal && strings.ContainsFunc(p.Text, unicode.IsSpace)
			}) {
			return true
		}
	}
	return false
}

// Marked returns a line with U+2423 in place of each white-space character inside a
// word, and two quotes for an empty one.
func Marked(l shell.Invocation) passage.Line {
	var b lineBuilder
	for i, w := range l.Words {
		switch pieces := l.Pieces[i]; {
		case pieces == nil && w == "":
			b.separate(i)
			b.text.WriteString("''")
		case pieces == nil:
			b.separate(i)
			b.text.WriteString(marked(w))
		case i > 0 && !slices.ContainsFunc(pieces, func(p shell.Piece) bool { return p.Kind != shell.Unquoted }): // also no word
			b.part(passage.Part{Text: w, Hole: passage.Words})
		case i > 0 && hasGlob(pieces):
			b.part(passage.Part{Text: w, Hole: passage.Words, Shape: shape(pieces, true)})
		default:
			b.separate(i)
			for _, p := range shape(pieces, true) {
				b.part(p)
			}
		}
	}
	return b.done()
}

func marked(w string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) {
			return '␣'
		}
		return c
	}, w)
}

// spaced returns a line with all white space as one space, also of unknown parts.
func spaced(l shell.Invocation) passage.Line {
	var b lineBuilder
	space := false // white space precedes
	known := func(text string) {
		for _, c := range text {
			if unicode.IsSpace(c) {
				space = true
				continue
			}
			if space && !b.empty() {
				b.text.WriteByte(' ')
			}
			space = false
			b.text.WriteRune(c)
		}
	}
	for i, w := range l.Words {
		pieces := l.Pieces[i]
		words := i > 0 && hasGlob(pieces)
		if pieces == nil {
			known(" " + w)
			continue
		}
		if words {
			part := passage.Part{Text: w, Hole: passage.Words, Shape: shape(pieces, false)}
			if strings.ContainsFunc(w, unicode.IsSpace) {
				part.Shape = nil
			}
			b.part(part)
			space = false
			continue
		}
		space = true
		for n := 0; n < len(pieces); n++ {
			p := pieces[n]
			if p.Kind == shell.Literal {
				known(p.Text)
				continue
			}
			for n+1 < len(pieces) && pieces[n+1].Kind != shell.Literal {
				n++
				p.Text += pieces[n].Text
			}
			part := passage.Part{Text: p.Text, Hole: passage.Any}
			spaceAfter := n+1 == len(pieces) || strings.IndexFunc(pieces[n+1].Text, unicode.IsSpace) == 0
			switch {
			case b.empty():
				part.Hole = passage.Unspaced
			case space && spaceAfter:
				part.Hole = passage.Words
			case space:
				b.text.WriteByte(' ')
			}
			space = false
			b.part(part)
		}
	}
	return b.done()
}

// written returns a line as an allow's pattern must match it: as written, with one space between words.
// A glob is one word or more.
func written(l shell.Invocation) passage.Line {
	var b lineBuilder
	for i, w := range l.Words {
		b.separate(i)
		pieces := l.Pieces[i]
		if pieces == nil {
			b.text.WriteString(shell.Invocation{Words: []string{w}}.String())
			continue
		}
		for _, p := range shape(pieces, false) {
			b.part(p)
		}
		if hasGlob(pieces) {
			b.part(passage.Part{Text: w, Hole: passage.Words, Shape: shape(pieces, false)})
		}
	}
	return b.done()
}

// shape returns the parts of a word.
func shape(pieces []shell.Piece, marks bool) (line passage.Line) {
	for _, p := range pieces {
		part := passage.Part{Text: p.Text}
		switch {
		case p.Kind == shell.Unquoted, p.Kind == shell.Quoted && !marks:
			part.Hole = passage.Any
		case p.Kind == shell.Quoted:
			part.Hole = passage.Unspaced
		case p.Kind == shell.Glob && marks:
			part.Hole = passage.UnspacedName
		case p.Kind == shell.Glob:
			part.Hole = passage.Name
		case marks:
			part.Text = marked(p.Text)
		}
		line = append(line, part)
	}
	return line
}

func hasGlob(pieces []shell.Piece) bool {
	return slices.ContainsFunc(pieces, func(p shell.Piece) bool { return p.Kind == shell.Glob })
}

// lineBuilder builds a line.
type lineBuilder struct {
	line passage.Line
	text strings.Builder // known, since the last unknown part
}

func (b *lineBuilder) empty() bool { return len(b.line) == 0 && b.text.Len() == 0 }

// separate begins the word at an index.
func (b *lineBuilder) separate(i int) {
	if i > 0 {
		b.text.WriteByte(' ')
	}
}

func (b *lineBuilder) part(p passage.Part) {
	if p.Hole == passage.Known {
		b.text.WriteString(p.Text)
		return
	}
	b.flush()
	b.line = append(b.line, p)
}

func (b *lineBuilder) flush() {
	if b.text.Len() > 0 {
		b.line = append(b.line, passage.Part{Text: b.text.String()})
		b.text.Reset()
	}
}

func (b *lineBuilder) done() passage.Line {
	b.flush()
	if len(b.line) == 0 {
		return passage.KnownLine("")
	}
	return b.line
}
