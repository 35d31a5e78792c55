package main

import (
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

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
