package main

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// escapes reports whether w is a terminal that understands escape sequences.
func (env *Env) escapes(w io.Writer) bool {
	return isTerminal(w) && env.Getenv("TERM") != "dumb" && understandsEscapes(w.(*os.File))
}

// width returns the columns of the terminal that w is, 0 if it is none or
// does not know them. What is no terminal gets everything: COLUMNS concerns
// terminals alone.
func (env *Env) width(w io.Writer) int {
	if !isTerminal(w) {
		return 0
	}
	if n, err := strconv.Atoi(env.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	columns, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// paint returns text in an ANSI style, "" for none, if w is a terminal that
// shows it and whose user did not say NO_COLOR.
func (env *Env) paint(w io.Writer, style, text string) string {
	if style == "" || text == "" || env.Getenv("NO_COLOR") != "" || !env.escapes(w) {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// Styles for paint.
const (
	bold   = "1"
	red    = "1;31"
	yellow = "1;33"
	green  = "32"
	faint  = "2"
)
