package shell

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Write prints one line per command. A line is itself shell text: words are
// quoted where necessary, a word whose value only the shell can determine is in
// double quotes, and a command that reads a pipe begins with "| ".
func Write(w io.Writer, commands []Command) error {
	var b strings.Builder
	for _, c := range commands {
		if len(c.Words)+len(c.Redirects) == 0 {
			continue // only assignments
		}
		if c.Position > 1 {
			b.WriteString("| ")
		}
		b.WriteString(strings.Join(c.texts(), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WritePipelines prints one line per pipeline, with words as Write prints them.
func WritePipelines(w io.Writer, pipelines [][]Invocation) error {
	var b strings.Builder
	for _, p := range pipelines {
		for i, l := range p {
			if i > 0 {
				b.WriteString(" | ")
			}
			for n, word := range l.Words {
				if n > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(quote(word, l.Pieces[n] != nil, false))
			}
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteJSON prints one JSON object per command, each on its own line.
func WriteJSON(w io.Writer, commands []Command) error {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for _, c := range commands {
		c.Words, c.Assigns, c.Redirects = notNil(c.Words), notNil(c.Assigns), notNil(c.Redirects)
		c.Unknown, c.Globs, c.Reads = notNil(c.Unknown), notNil(c.Globs), notNil(c.Reads)
		if err := encoder.Encode(c); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func notNil[T any](list []T) []T { return append([]T{}, list...) }

// texts returns the words and redirections as shell text.
func (c *Command) texts() []string {
	var all []string
	for i, w := range c.Words {
		text := quote(w, slices.Contains(c.Unknown, i), slices.Contains(c.Globs, i))
		if i == 0 && text == w && (strings.Contains(w, "=") || slices.Contains(reserved[:], w)) {
			text = "'" + w + "'"
		}
		all = append(all, text)
	}
	for _, r := range c.Redirects {
		all = append(all, r.Op, quote(r.Target, r.Unknown, false))
	}
	return all
}

// reserved are words that do not name a program at the beginning of a command.
var reserved = [...]string{"if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "select", "function", "time", "coproc"}

// quote returns a word as shell text.
func quote(text string, unknown, glob bool) string {
	unsafe := func(r rune) bool {
		plain := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_@%+=:,./~^-", r)
		return !plain && (!glob || !strings.ContainsRune("*?[]!", r))
	}
	switch {
	case unknown:
		return `"` + strings.Map(visible, text) + `"`
	case text != "" && !strings.ContainsFunc(text, unsafe):
		return text
	case strings.ContainsFunc(text, func(r rune) bool { return visible(r) != r || r == '\ufffd' }):
		return "$'" + escaped(text) + "'"
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// visible replaces control characters, which could end or redraw a line.
func visible(r rune) rune {
	if r < ' ' || r == 0x7f || 0x80 <= r && r < 0xa0 || r == 0x2028 || r == 0x2029 {
		return ' '
	}
	return r
}

func escaped(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
