package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A text may be read by zsh unless Reader.Bash is set (D97). What only zsh's grammar
// has is a syntax error in bash's, so the text is refused. This file is about texts
// that both accept and expand differently.

// checkZsh records the expansions in the parts of a word that zsh expands otherwise
// than bash: $x:t, $x[1] and $=x.
func (r *Reader) checkZsh(n syntax.Node) {
	if r.Bash {
		return
	}
	var parts []syntax.WordPart
	switch n := n.(type) {
	case *syntax.Word:
		parts = n.Parts
	case *syntax.DblQuoted:
		parts = n.Parts
	}
	for i, part := range parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || r.altered[part] {
			continue
		}
		alters := altersParameter(lit.Value)
		if i > 0 && alters {
			if p, ok := parts[i-1].(*syntax.ParamExp); ok && p.Short {
				r.alter(p)
				if lit.Value[0] == '[' {
					r.alter(lit)
				}
			}
		}
		if i+1 < len(parts) && strings.HasSuffix(lit.Value, "$") {
			if next, ok := parts[i+1].(*syntax.Lit); ok && splitsParameter("$"+next.Value) {
				r.alter(lit)
				r.alter(next)
			}
		}
		if splitsParameter(lit.Value) {
			r.alter(lit)
		}
	}
}

// alter records that zsh may expand a part to any words.
func (r *Reader) alter(part syntax.WordPart) {
	if r.altered == nil {
		r.altered = map[syntax.WordPart]bool{}
	}
	r.altered[part] = true
}

// altersParameter reports whether zsh reads the text after $x as a modifier or a
// subscript.
func altersParameter(text string) bool {
	return len(text) > 1 && (text[0] == '[' || text[0] == ':' && strings.IndexByte("aAcefFghlpPqQrstuwWx&", text[1]) >= 0)
}

// splitsParameter reports whether a literal has $=x, $~x, $^x or $+x, which are text in
// bash.
func splitsParameter(text string) bool {
	for i := 0; i+2 < len(text); i++ {
		if text[i] == '\\' {
			i++
		} else if c := text[i+2]; text[i] == '$' && strings.IndexByte("=~^+", text[i+1]) >= 0 && (isAlphanumeric(c) || strings.IndexByte("_{@*=~^", c) >= 0) {
			return true
		}
	}
	return false
}

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
		if slices.ContainsFunc(args, func(a word) bool { return hasSubstitution(a.text) && !a.unknown }) {
			r.note("print may run what is in its text")
		}
	}
}
