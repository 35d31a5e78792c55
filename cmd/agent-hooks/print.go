package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// printJSON prints v indented, with <, > and & as they are.
func (env *Env) printJSON(v any) error {
	b, err := encodeJSON(v)
	if err != nil {
		return err
	}
	_, err = env.Stdout.Write(b)
	return err
}

func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode JSON: %w", err)
	}
	return b.Bytes(), nil
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// paint returns text in an ANSI style if w is a terminal whose user did not
// say NO_COLOR.
func (env *Env) paint(w io.Writer, style, text string) string {
	if env.Getenv("NO_COLOR") != "" || !isTerminal(w) {
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
