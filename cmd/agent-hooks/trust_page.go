package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

// page prints a review one screen at a time, so that nothing scrolls away before the prompt. It
// reports whether the whole text was shown.
func (env *Env) page(text string) (whole bool, err error) {
	screen := term.RowsOf(env.Stdout) - 2 // the prompt, and the last line of the page before
	for screen > 0 && strings.Count(text, "\n") > screen {
		end := lineEnd(text, screen)
		if _, err := io.WriteString(env.Stdout, text[:end]); err != nil {
			return false, err
		}
		text = text[end:]
		fmt.Fprintf(env.Stdout, "-- %s left: Enter shows more, q declines this hook -- ", term.Plural(strings.Count(text, "\n"), "line"))
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(env.answerLine())), "q") {
			return false, nil
		}
	}
	_, err = io.WriteString(env.Stdout, text)
	return true, err
}

// lineEnd returns the offset after the first n lines of text.
func lineEnd(text string, n int) int {
	end := 0
	for range n {
		end += strings.IndexByte(text[end:], '\n') + 1
	}
	return end
}
