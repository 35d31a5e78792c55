package shell

import (
	"slices"
	"strings"
)

// Invocation is a simple command as the one line in which a pattern is searched
// (D78): its words without quotes, assignments and redirections.
type Invocation struct {
	// Words are the command's words. White space in a word is one space.
	Words []string

	// Unknown are the indexes of the words that stand for any number of any
	// words: only the shell knows their values, or they have a glob, or another
	// program fills them in. Their text is the source.
	Unknown []int

	// Command is the index of the command in Reader.Commands.
	Command int
}

// String returns the words, joined by one space.
func (l Invocation) String() string { return strings.Join(l.Words, " ") }

// Base returns the line with the base name of its program, without .exe and
// .cmd.
func (l Invocation) Base() Invocation {
	name := l.Words[0][strings.LastIndexAny(l.Words[0], `/\`)+1:]
	for _, suffix := range [...]string{".exe", ".cmd"} {
		if begin := len(name) - len(suffix); begin > 0 && strings.EqualFold(name[begin:], suffix) {
			name = name[:begin]
			break
		}
	}
	if name != "" && name != l.Words[0] {
		l.Words = slices.Concat([]string{name}, l.Words[1:])
	}
	return l
}

// Invocations returns the invocation of each command that has words. It returns an
// *Unreadable error if a shell among them reads a program that the text does
// not contain as such.
func (r *Reader) Invocations() ([]Invocation, error) {
	if r.unlisted != "" {
		return nil, &Unreadable{r.unlisted}
	}
	var lines []Invocation
	for i := range r.Commands {
		c := &r.Commands[i]
		if len(c.Words) == 0 {
			continue
		}
		l := Invocation{Command: i, Unknown: slices.Concat(c.Unknown, c.Globs, c.filled)}
		slices.Sort(l.Unknown)
		l.Unknown = slices.Compact(l.Unknown)
		for _, w := range c.Words {
			l.Words = append(l.Words, oneSpace(w))
		}
		if c.more {
			l.Unknown = append(l.Unknown, len(l.Words))
			l.Words = append(l.Words, "...")
		}
		lines = append(lines, l)
	}
	return lines, nil
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
