package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/parse"
)

// A text may be read by zsh unless Reader.Bash is set (D97). What only zsh's grammar
// has is a syntax error in bash's, so the text is refused. This file is about texts
// that both accept and expand differently.

// checkZshAssignment rejects an assignment by which zsh defines a command.
func (r *Reader) checkZshAssignment(a *syntax.Assign) {
	name := a.Name.Value
	table := slices.Contains([]string{"functions", "aliases", "galiases", "saliases", "dis_functions", "dis_aliases", "dis_galiases", "dis_saliases", "commands"}, name)
	switch {
	case r.Bash:
	case table && (a.Index != nil || a.Array != nil && name != "commands"), name == "NULLCMD", name == "READNULLCMD":
		r.note("zsh may run what is assigned to %s", name)
	}
}

// zshBuiltin reads the commands that a builtin of zsh runs or defines.
func (r *Reader) zshBuiltin(name string, args []word, at site) {
	if r.Bash {
		return
	}
	switch name {
	case "alias":
		if slices.ContainsFunc(args, func(a word) bool {
			return a.unknown && a.splits || len(a.text) > 1 && strings.IndexByte("-+", a.text[0]) >= 0 && strings.ContainsAny(a.text, "gs")
		}) {
			r.note("zsh replaces the alias in any word")
		}
	case "hash":
		if slices.ContainsFunc(args, func(a word) bool { return strings.Contains(a.text, "=") }) {
			r.note("hash may change what a command word runs")
		}
	case "print":
		if slices.ContainsFunc(args, func(a word) bool { return parse.HasSubstitution(a.text) && !a.unknown }) {
			r.note("print may run what is in its text")
		}
	}
}
