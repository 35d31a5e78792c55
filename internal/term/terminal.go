package term

import (
	"io"
	"strconv"

	"golang.org/x/term"
)

// descriptor is a stream that may be a terminal: an *os.File, or a type around one.
type descriptor interface{ Fd() uintptr }

// IsTerminal reports whether a stream is a terminal. A type around an *os.File is one if it has
// the method Fd.
func IsTerminal(stream any) bool {
	f, ok := stream.(descriptor)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Escapes reports whether w is a terminal that understands escape sequences.
func Escapes(w io.Writer, getenv func(string) string) bool {
	return IsTerminal(w) && getenv("TERM") != "dumb" && understandsEscapes(w.(descriptor))
}

// ColumnsOf returns the width of the terminal w; 0 if w is not a terminal or its width is
// unknown. COLUMNS applies only to terminals; lines for other streams are not wrapped.
func ColumnsOf(w io.Writer, getenv func(string) string) int {
	if n, err := strconv.Atoi(getenv("COLUMNS")); err == nil && n > 0 && IsTerminal(w) {
		return n
	}
	columns, _ := size(w)
	return columns
}

// RowsOf returns the height of the terminal w; 0 if w is not a terminal or its
// height is unknown.
func RowsOf(w io.Writer) int {
	_, rows := size(w)
	return rows
}

func size(w io.Writer) (columns, rows int) {
	if f, ok := w.(descriptor); ok {
		columns, rows, _ = term.GetSize(int(f.Fd()))
	}
	return max(0, columns), max(0, rows)
}

// Paint returns text in an ANSI style, if w is a terminal that shows it and
// NO_COLOR is not set. With the style "" it returns text.
func Paint(w io.Writer, getenv func(string) string, style, text string) string {
	if style == "" || text == "" || getenv("NO_COLOR") != "" || !Escapes(w, getenv) {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// Styles for Paint.
const (
	Bold   = "1"
	Red    = "1;31"
	Yellow = "1;33"
	Green  = "32"
	Faint  = "2"
)
