package term

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// JSON encodes v, indented, without escaping <, > and &.
func JSON(v any) ([]byte, error) { return encode(v, "  ") }

// LineJSON encodes v on one line.
func LineJSON(v any) string {
	b, err := encode(v, "")
	if err != nil {
		return "null"
	}
	return strings.TrimSuffix(string(b), "\n")
}

func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode JSON: %w", err)
	}
	return escapeJSON(b.Bytes()), nil
}

// escapeJSON escapes the same characters as Printable, with the escapes of JSON strings: the
// encoder escapes only the first control characters.
func escapeJSON(text []byte) []byte {
	unseen := func(r rune) bool { return r != '\n' && Hidden(r) }
	if !bytes.ContainsFunc(text, unseen) {
		return text
	}
	var b bytes.Buffer
	for _, r := range string(text) {
		switch {
		case !unseen(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}

// Printable escapes characters that a terminal could interpret, or would not show, as in Go
// strings: see shown.Text.
func Printable(s string) string { return shown.Text(s) }

// PrintableLines is Printable for text of several lines.
func PrintableLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = Printable(line)
	}
	return strings.Join(lines, "\n")
}

// Hidden reports whether a terminal shows nothing for a character, or interprets it: see
// shown.Hidden.
func Hidden(r rune) bool { return shown.Hidden(r) }

// IndentJSON formats JSON over several lines; "" if text is not JSON.
func IndentJSON(text string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(text), "", "  ") != nil {
		return ""
	}
	return b.String() + "\n"
}

// Visible makes text printable on one line, and shortens it.
func Visible(text string) string {
	return Printable(strings.ReplaceAll(shown.Cut(text, 2000), "\n", " "))
}

// Lines returns the first lines of a program's output, each as Visible does, and how many more there
// are; none if the output is blank.
func Lines(output string, limit int) []string {
	if strings.TrimSpace(output) == "" {
		return nil
	}
	lines := strings.Split(strings.TrimRight(output, "\r\n"), "\n")
	if more := len(lines) - limit; more > 0 {
		lines = append(lines[:limit], "… and "+Plural(more, "more line"))
	}
	for i, line := range lines {
		lines[i] = Visible(strings.TrimSuffix(line, "\r"))
	}
	return lines
}

// Plural returns a number with a word, such as "1 hook" or "2 hooks".
func Plural(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}
