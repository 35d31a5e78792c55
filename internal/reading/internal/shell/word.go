package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/parse"
)

// word is a word after quote removal.
type word struct {
	text    string
	unknown bool   // only the shell can determine its value; text is its source
	glob    bool   // it has an unquoted * ? or [
	splits  bool   // an unquoted expansion may produce several words
	filled  bool   // another program replaces a part of it
	fill    string // what it replaces; {} if it is ""
	output  bool   // it is the output of commands and nothing else
	plain   bool   // it is unknown, but what is unknown in it has no characters that a shell treats in a special way
	named   bool   // it is unknown, but one word, and what follows its last slash is known
	divided bool   // it is a part of a variable's value, which zsh does not divide
	line    bool   // a newline divides it from the word before
	since   int    // of an input: the number of commands before which nothing reads it

	pieces []Piece // of a word with unknown parts, if they are distinguished
}

// Piece is a part of a word (D92).
type Piece struct {
	Text string // of an unknown part, its source
	Kind Kind
	Is   Value // what is known about an unknown part
}

// Value is what is known about an expansion.
type Value uint8

// The kinds of values.
const (
	Undetermined Value = iota
	Number             // one word without a slash, such as the number of a process
	Temporary          // a path that mktemp made
	TemporaryDir       // of a variable that programs set to a directory for temporary files, or empty
)

// Kind is what is unknown about a part of a word.
type Kind uint8

// The kinds of parts.
const (
	Literal  Kind = iota
	Quoted        // any text, which the shell does not split
	Unquoted      // any text, which the shell may split into several words, or none
	Glob          // any text without a slash; such a word is any number of names
)

// words expands the braces of a word, removes its quotes, and splits the
// variables in it whose values the text determines.
func (r *Reader) words(w *syntax.Word) []word {
	braces := parse.Braces(w, parse.MaxWords-r.parsed)
	r.parsed += braces.Spent
	for _, cause := range braces.Causes {
		r.note("%s", cause)
	}
	if braces.Joined {
		r.note("its braces join the name of a variable: %s", excerpt(r.slice(w)))
	}
	var all []word
	for _, parts := range braces.Words {
		fields := r.fields(parts)
		if !r.Bash && (len(fields) > 1 || slices.ContainsFunc(parts, parse.HasList)) && parse.HasBraces(w) {
			r.note("zsh and bash may join %s differently", excerpt(r.slice(w)))
		}
		all = append(all, fields...)
	}
	return all
}

// word returns a word that the shell does not brace-expand. One that it would
// split has an unknown value.
func (r *Reader) word(w *syntax.Word) word {
	if fields := r.fields(w.Parts); len(fields) == 1 {
		return fields[0]
	}
	return word{text: r.slice(w), unknown: true, splits: true}
}

// builder makes words from the parts of one word.
type builder struct {
	r     *Reader
	split bool // divide unquoted values at white space
	done  []word
	word
	text  strings.Builder
	begun bool // the current word exists even if it is empty
	risky bool // a part is unknown and not plain
	tail  int  // where the known text after the last unknown part begins
	mark  int  // where the text begins that is not in pieces

	whole  bool // zsh may replace known text, too
	open   bool // from piece openAt on, it may be the set or the extended glob that begins there
	openAt int
}

// fields returns the words that a word becomes.
func (r *Reader) fields(parts []syntax.WordPart) []word {
	b := builder{r: r, split: true}
	b.parts(parts)
	b.end()
	if len(parts) == 1 && len(b.done) == 1 {
		b.done[0].output = parse.IsOutput(parts[0])
	}
	return b.done
}

// join returns the value of a word that the shell does not split.
func (r *Reader) join(parts []syntax.WordPart) word {
	b := builder{r: r, begun: true}
	b.parts(parts)
	b.end()
	b.done[0].output = len(parts) == 1 && parse.IsOutput(parts[0])
	return b.done[0]
}

// end ends the current word.
func (b *builder) end() {
	if !b.begun {
		return
	}
	w := b.word
	w.text = b.text.String()
	w.plain = w.unknown && !b.risky
	w.filled = b.r.fills && hasPlaceholder(w.text)
	w.named = w.unknown && !w.splits && !w.glob && strings.HasPrefix(w.text[b.tail:], "/") && isName(w.text[b.tail:])
	if open := strings.IndexByte(w.text, '['); w.glob && !strings.ContainsAny(w.text, "*?(") {
		w.glob = strings.Contains(w.text[open+1:], "]") // [ itself is a command
	}
	if (b.open || len(b.pieces) > 0) && !b.whole {
		w.pieces = b.all(w.text)
	}
	has := func(kind Kind) bool {
		return slices.ContainsFunc(w.pieces, func(p Piece) bool { return p.Kind == kind })
	}
	removed := b.r.globs && (has(Glob) || has(Unquoted))
	if removed || has(Glob) && strings.Contains(w.text, "//") { // bash makes it one slash
		w.pieces = []Piece{{Text: w.text, Kind: Unquoted}}
	}
	b.done = append(b.done, w)
	*b = builder{r: b.r, split: b.split, done: b.done}
}

// all returns the pieces of the current word.
func (b *builder) all(text string) []Piece {
	b.flush(text)
	if b.open {
		rest := ""
		for _, p := range b.pieces[b.openAt:] {
			rest += p.Text
		}
		if strings.ContainsAny(rest, "])") {
			return append(b.pieces[:b.openAt], Piece{Text: rest, Kind: Unquoted})
		}
	}
	return b.pieces
}

// flush adds the known text since the last unknown part to the pieces.
func (b *builder) flush(text string) {
	if len(text) > b.mark {
		b.pieces = append(b.pieces, Piece{Text: text[b.mark:]})
	}
	b.mark = len(text)
}

// hole adds an unknown part.
func (b *builder) hole(source string, kind Kind) {
	b.flush(b.text.String())
	if last := len(b.pieces) - 1; kind == Glob && source == "*" && last >= 0 && b.pieces[last] == (Piece{Text: source, Kind: kind}) { // ** matches slashes
		kind = Unquoted
	}
	b.pieces = append(b.pieces, Piece{Text: source, Kind: kind})
	b.text.WriteString(source)
	b.mark = b.text.Len()
}

// wild writes a character that begins a set or an extended glob, if it ends
// in the same word.
func (b *builder) wild(c byte) {
	if !b.open {
		b.flush(b.text.String())
		b.open, b.openAt = true, len(b.pieces)
	}
	b.text.WriteByte(c)
}

// parts removes quotes. An expansion that is not determined is kept as written.
func (b *builder) parts(parts []syntax.WordPart) {
	for _, part := range parts {
		value, known := b.r.resolve(part)
		if known && (!b.split || !b.r.vars.split) {
			b.value(value)
			continue
		}
		lit, ok := part.(*syntax.Lit)
		b.begun = b.begun || !ok || lit.Value != "" // of {,a}
		switch p := part.(type) {
		case *syntax.Lit:
			if b.r.altered[part] {
				b.source(part, Unquoted)
				b.splits = true
				continue
			}
			b.unquoted(p.Value)
		case *syntax.SglQuoted:
			text, complete := parse.Single(p)
			if !complete {
				b.r.note(parse.NoControl)
			}
			b.literal(text)
		case *syntax.DblQuoted:
			b.quoted(p.Parts)
		default:
			one := b.r.isDirectory(part)
			if one || !b.r.vars.split && parse.IsNumber(part) {
				b.source(part, Quoted)
			} else {
				b.source(part, Unquoted)
			}
			b.splits = b.splits || !one
		}
	}
}

// literal adds text in quotes.
func (b *builder) literal(text string) {
	for at := strings.IndexByte(text, markByte); at >= 0; at = strings.IndexByte(text, markByte) {
		b.text.WriteString(text[:at])
		text = text[at+b.marked(text[at:], Quoted):]
	}
	b.text.WriteString(text)
}

// marked adds what a text begins with: an unknown part, or a byte. It returns the size.
func (b *builder) marked(text string, kind Kind) int {
	p, size := b.r.marked(text)
	if size == 0 {
		b.text.WriteByte(text[0])
		return 1
	}
	b.hole(p.Text, kind)
	b.pieces[len(b.pieces)-1].Is = p.Is
	b.unknown, b.risky, b.splits = true, true, b.splits || kind == Unquoted
	b.tail = b.text.Len()
	return size
}

// unquoted adds text outside quotes.
func (b *builder) unquoted(text string) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == markByte:
			i += b.marked(text[i:], Unquoted) - 1
		case c == '\\' && i+1 < len(text):
			i++
			if text[i] != '\n' {
				b.text.WriteByte(text[i])
			}
		case c == '*' || c == '?':
			b.glob = true
			b.hole(text[i:i+1], Glob)
		case c == '[':
			b.glob = true
			if end := parse.Set(text[i:]); end > 0 {
				b.hole(text[i:i+end], Glob)
				i += end - 1
			} else {
				b.wild(c)
			}
		default:
			b.text.WriteByte(c)
		}
	}
}

// source adds an expansion as it is written.
func (b *builder) source(part syntax.WordPart, kind Kind) {
	source := b.r.slice(part)
	b.hole(source, kind)
	last := len(b.pieces) - 1
	if pieces := b.r.partsOf(part, kind); pieces != nil && !b.r.altered[part] && !b.open {
		b.pieces = append(b.pieces[:last], pieces...)
	} else {
		b.pieces[last].Is = b.r.valueOf(part)
	}
	b.whole = b.whole || b.r.altered[part]
	b.unknown = true
	b.risky = b.risky || !b.r.isPlain(part)
	b.tail = b.text.Len()
}

// isName reports whether the base name in a path is literal.
func isName(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "*?[](){}$`\"\\") && strings.Contains(path, "/")
}

// quoted adds the parts of a word that are in double quotes.
func (b *builder) quoted(parts []syntax.WordPart) {
	for _, part := range parts {
		if lit, ok := part.(*syntax.Lit); ok && !b.r.altered[part] {
			b.literal(parse.Unescaped(lit.Value, parse.InQuotes))
		} else if value, ok := b.r.resolve(part); ok {
			b.text.WriteString(value)
		} else {
			kind := Quoted
			if parse.IsList(part) || b.r.altered[part] {
				kind, b.splits = Unquoted, true
			}
			b.source(part, kind)
		}
	}
}

// value adds the value of an unquoted variable.
func (b *builder) value(value string) {
	for _, c := range []byte(value) {
		if b.split && strings.IndexByte(" \t\n", c) >= 0 {
			b.divided = true
			b.end()
			b.divided, b.line = true, b.line || c == '\n'
			continue
		}
		b.begun = true
		switch {
		case !b.split || strings.IndexByte("*?[(", c) < 0:
			b.text.WriteByte(c)
		case c == '*' || c == '?':
			b.glob = true
			b.hole(string(c), Glob)
		default:
			b.glob = true
			b.wild(c)
		}
	}
}

// slice returns a node's source; $ for a node of a text around the current one.
func (r *Reader) slice(n syntax.Node) string {
	return r.unmarked(parse.Slice(r.source, n))
}
