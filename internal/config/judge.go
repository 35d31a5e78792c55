package config

import (
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// Judge is the program that answers for hooks that ask a model (D79).
type Judge struct {
	Command []string // the program, as a name or an absolute path, and its arguments; {model} is the model's name
	Model   string   // "" if the file names none
}

// Judge returns the program that the user's file names; nil if it names none. A
// project's file cannot name one.
func (c Config) Judge() *Judge { return c.user().judge }

// judgeProgram reads [judge]. A command of which one word is invalid is not used.
func (r *reader) judgeProgram(n *tree.Node) {
	if !r.usersOnly(n, "judge") {
		return
	}
	var j Judge
	r.table(n, "judge", readers{
		"command": func(n *tree.Node) { j.Command = r.words(n) },
		"model": func(n *tree.Node) {
			text, ok := stringOf(n)
			if !ok || text == "" {
				r.bad(n, "model", "the name of a model, in quotes")
				return
			}
			j.Model = text
		},
	})
	if len(j.Command) > 0 {
		r.file.judge = &j
	}
}

// words reads a program and its arguments; nil if it is not valid.
func (r *reader) words(n *tree.Node) (words []string) {
	const want = `a list of a program and its arguments, such as ["ollama", "run", "{model}"]`
	if n.Tag != tree.List || len(n.Children) == 0 {
		r.bad(n, "command", want)
		return nil
	}
	for _, element := range n.Children {
		word, ok := stringOf(element)
		if !ok || strings.ContainsRune(word, 0) {
			r.bad(element, "a word of command", want)
			return nil
		}
		words = append(words, word)
	}
	program := words[0]
	if program == "" || strings.ContainsAny(program, `/\`) && !filepath.IsAbs(program) || strings.Contains(program, "{model}") {
		r.bad(n.Children[0], "the program", "a name on PATH, or an absolute path")
		return nil
	}
	return words
}
