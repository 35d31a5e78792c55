package parse

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What only zsh's grammar has is a syntax error in bash's, so that it is noted. This file is about
// texts that both accept and expand differently (D97).

// zsh records the expansions in the parts of a word that zsh expands otherwise than bash: $x:t, $x[1]
// and $=x.
func (f *File) zsh(n syntax.Node) {
	var parts []syntax.WordPart
	switch n := n.(type) {
	case *syntax.Word:
		parts = n.Parts
	case *syntax.DblQuoted:
		parts = n.Parts
	}
	for i, part := range parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || f.Altered[part] {
			continue
		}
		alters := altersParameter(lit.Value)
		if i > 0 && alters {
			if p, ok := parts[i-1].(*syntax.ParamExp); ok && p.Short {
				f.alter(p)
				if lit.Value[0] == '[' {
					f.alter(lit)
				}
			}
		}
		if i+1 < len(parts) && strings.HasSuffix(lit.Value, "$") {
			if next, ok := parts[i+1].(*syntax.Lit); ok && splitsParameter("$"+next.Value) {
				f.alter(lit)
				f.alter(next)
			}
		}
		if splitsParameter(lit.Value) {
			f.alter(lit)
		}
	}
}

// alter records that zsh may expand a part to any words.
func (f *File) alter(part syntax.WordPart) {
	if f.Altered == nil {
		f.Altered = map[syntax.WordPart]bool{}
	}
	f.Altered[part] = true
}

// altersParameter reports whether zsh reads the text after $x as a modifier or a subscript.
func altersParameter(text string) bool {
	return len(text) > 1 && (text[0] == '[' || text[0] == ':' && strings.IndexByte("aAcefFghlpPqQrstuwWx&", text[1]) >= 0)
}

// splitsParameter reports whether a literal has $=x, $~x, $^x or $+x, which are text in bash.
func splitsParameter(text string) bool {
	for i := 0; i+2 < len(text); i++ {
		if text[i] == '\\' {
			i++
		} else if c := text[i+2]; text[i] == '$' && strings.IndexByte("=~^+", text[i+1]) >= 0 && (IsNameByte(c) || strings.IndexByte("{@*=~^", c) >= 0) {
			return true
		}
	}
	return false
}
