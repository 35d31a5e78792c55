package shell

import (
	"maps"
	"slices"
	"strings"
)

// Invocation is a simple command as the one line in which a pattern is searched
// (D78): its words without quotes, assignments and redirections.
type Invocation struct {
	// Words are the command's words.
	Words []string

	// Pieces are the parts of the words that are not known, by index: only the
	// shell knows their values, or they have a glob, or another program fills
	// them in.
	Pieces map[int][]Piece

	// Command is the index of the command in Reader.Commands.
	Command int
}

// String returns the words, joined by one space. White space in a word is one
// space.
func (l Invocation) String() string {
	var words []string
	for _, w := range l.Words {
		words = append(words, oneSpace(w))
	}
	return strings.Join(words, " ")
}

// From returns the line from the word at index at on.
func (l Invocation) From(at int) Invocation {
	rest := Invocation{Words: l.Words[at:], Command: l.Command}
	for i, pieces := range l.Pieces {
		if i >= at {
			rest.set(i-at, pieces)
		}
	}
	return rest
}

func (l *Invocation) set(i int, pieces []Piece) {
	if l.Pieces == nil {
		l.Pieces = map[int][]Piece{}
	}
	l.Pieces[i] = pieces
}

// Base returns the line with the base name of its program, without .exe and
// .cmd.
func (l Invocation) Base() Invocation {
	name := baseName(l.Words[0])
	if name != "" && name != l.Words[0] {
		l.Words = slices.Concat([]string{name}, l.Words[1:])
		if l.Pieces[0] != nil { // "$DIR/npm": the name after the directory is known
			l.Pieces = maps.Clone(l.Pieces)
			delete(l.Pieces, 0)
		}
	}
	return l
}

// baseName returns the last part of a path, without .exe and .cmd.
func baseName(word string) string {
	name := word[strings.LastIndexAny(word, `/\`)+1:]
	for _, suffix := range [...]string{".exe", ".cmd"} {
		if begin := len(name) - len(suffix); begin > 0 && strings.EqualFold(name[begin:], suffix) {
			return name[:begin]
		}
	}
	return name
}

// Undivided returns the invocations of the commands in which zsh, unlike bash, leaves the
// values of variables undivided, as zsh has them.
func (r *Reader) Undivided() []Invocation { return r.undivided }

// Invocations returns the invocation of each command that has words.
func (r *Reader) Invocations() (lines []Invocation) {
	for i := range r.Commands {
		c := &r.Commands[i]
		if len(c.Words) == 0 {
			continue
		}
		lines = append(lines, r.invocation(i))
	}
	return lines
}

// invocation returns the invocation of the command at an index.
func (r *Reader) invocation(i int) Invocation {
	c := &r.Commands[i]
	l := Invocation{Words: c.Words, Pieces: c.pieces, Command: i}
	if c.more {
		l.Words, l.Pieces = slices.Concat(c.Words, []string{"..."}), maps.Clone(c.pieces)
		l.set(len(c.Words), []Piece{{Text: "...", Kind: Unquoted}})
	}
	return l
}

// oneSpace replaces white space by one space.
func oneSpace(text string) string {
	var b strings.Builder
	space := false
	for _, c := range []byte(text) {
		if strings.IndexByte(" \t\n\v\f\r", c) >= 0 {
			space = true
			continue
		}
		if space {
			b.WriteByte(' ')
		}
		space = false
		b.WriteByte(c)
	}
	if space {
		b.WriteByte(' ')
	}
	return b.String()
}
