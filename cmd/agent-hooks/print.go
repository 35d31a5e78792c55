package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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

// printable spells what a terminal could take for a command, or would not
// show, as Go does in strings: control characters, those that turn the
// direction of text, invalid UTF-8. Tabs stay.
func printable(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case hidden(r):
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hidden(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }

// indentJSON spells JSON over several lines; "" if text is none.
func indentJSON(text string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(text), "", "  ") != nil {
		return ""
	}
	return b.String() + "\n"
}

// compactJSON spells JSON on one line.
func compactJSON(text []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return ""
	}
	return b.String()
}
