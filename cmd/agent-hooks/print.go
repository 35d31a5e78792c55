package main

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// printJSON prints v indented, without escaping <, > and &.
func (env *Env) printJSON(v any) error {
	b, err := term.JSON(v)
	if err != nil {
		return err
	}
	_, err = env.Stdout.Write(b)
	return err
}

// printTable prints a table.
func (env *Env) printTable(t term.Table) error {
	return env.print(t.Text(env.width(env.Stdout), env.style))
}

// print prints text as it is.
func (env *Env) print(text string) error {
	_, err := io.WriteString(env.Stdout, text)
	return err
}

// out prints a paragraph.
func (env *Env) out(indent int, text string) error {
	return env.print(env.paragraph(env.Stdout, indent, text))
}

// style returns text in a style for stdout.
func (env *Env) style(style, text string) string { return env.paint(env.Stdout, style, text) }

func diffStyle(line string) string {
	style := map[byte]string{'-': term.Red, '+': term.Green}[line[0]]
	return cmp.Or(style, term.Faint)
}

// statusLine is a temporary line at the end of an output, on a terminal that can erase it.
type statusLine struct {
	env   *Env
	out   io.Writer
	shown string
}

// supported reports whether the output is a terminal that can erase the line.
func (s *statusLine) supported() bool { return s.env.width(s.out) >= 20 && s.env.escapes(s.out) }

// show replaces the line with text; "" removes it.
func (s *statusLine) show(text string) {
	if text == s.shown || !s.supported() {
		return
	}
	s.erase()
	s.shown = text
	text = term.CutTo(text, s.env.width(s.out)-1)
	io.WriteString(s.out, s.env.paint(s.out, term.Faint, text)) // the next write reports an error
}

// erase removes the line before other output.
func (s *statusLine) erase() {
	if s.shown != "" {
		io.WriteString(s.out, "\r\x1b[K")
		s.shown = ""
	}
}

// firstBold is the style of rows whose first cell is a name.
func firstBold(_, column int) string {
	if column == 0 {
		return term.Bold
	}
	return ""
}

// paragraph formats text for w, with ~ for the home directory: on a terminal, it wraps lines and
// indents all except the first by indent columns; otherwise it returns one line. Text may be painted.
func (env *Env) paragraph(w io.Writer, indent int, text string) string {
	return strings.Join(term.Hang(env.homely(text), indent, env.width(w)), "\n") + "\n"
}

// width returns the columns of the terminal w; 0 if w is not a terminal.
func (env *Env) width(w io.Writer) int { return term.ColumnsOf(w, env.Getenv) }

// escapes reports whether w is a terminal that interprets escape sequences.
func (env *Env) escapes(w io.Writer) bool { return term.Escapes(w, env.Getenv) }

// paint returns text in a style if w is a terminal that supports it.
func (env *Env) paint(w io.Writer, style, text string) string {
	return term.Paint(w, env.Getenv, style, text)
}

// diagnosticText formats d for w, on a terminal with the source line and a caret.
func (env *Env) diagnosticText(w io.Writer, indent int, d spec.Diagnostic) string {
	d.Path = env.relative(d.Path)
	style := term.Red
	if d.Severity == spec.Warning {
		style = term.Yellow
	}
	margin := strings.Repeat(" ", indent)
	text := margin + env.paint(w, style, string(d.Severity)+":") + " " + term.Printable(strings.ReplaceAll(d.String(), "\n", " "))
	text = env.paragraph(w, indent+2, text)
	if !term.IsTerminal(w) || d.Source == "" {
		return text
	}
	margin += "  "
	number := strconv.Itoa(d.Line)
	source, below := term.Caret(d.Source, d.Column, env.width(w)-len(margin+number+" | "))
	bar := env.paint(w, term.Faint, "|") + " "
	text += margin + env.paint(w, term.Faint, number) + " " + bar + source + "\n"
	return text + margin + strings.Repeat(" ", len(number)+1) + bar + below + env.paint(w, style, "^") + "\n"
}

// interactive reports whether the user can be prompted.
func (env *Env) interactive() bool { return term.IsTerminal(env.Stdin) && term.IsTerminal(env.Stdout) }

// yes prompts on the terminal and reports whether the answer is yes.
func (env *Env) yes(question string) bool {
	env.print(question)
	switch strings.ToLower(strings.TrimSpace(env.answerLine())) {
	case "y", "yes":
		return true
	}
	return false
}

// answerLine reads one line from the terminal. It does not read ahead, because the next line
// answers the next question.
func (env *Env) answerLine() string {
	var line []byte
	for b := make([]byte, 1); ; {
		n, err := env.Stdin.Read(b)
		if n == 1 && b[0] == '\n' {
			return string(line)
		}
		line = append(line, b[:n]...)
		if err != nil {
			fmt.Fprintln(env.Stdout) // the input ended without a newline
			return string(line)
		}
	}
}
