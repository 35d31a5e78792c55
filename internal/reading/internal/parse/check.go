package parse

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// check notes what the parser reads otherwise than the shells.
func (f *File) check(tree *syntax.File, shells Shells) {
	syntax.Walk(tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DblQuoted:
			for _, part := range n.Parts {
				f.quotes(part)
			}
		case *syntax.Redirect:
			if n.Hdoc != nil {
				f.Size -= int(n.Hdoc.End().Offset() - n.Hdoc.Pos().Offset())
				for _, part := range n.Hdoc.Parts {
					f.quotes(part)
				}
			}
		case *syntax.CmdSubst:
			if !n.Backquotes {
				f.hereDocument(n)
			}
		case *syntax.ProcSubst:
			f.hereDocument(n)
		case *syntax.ArithmExp:
			f.singleQuotes(n)
		case *syntax.ArithmCmd:
			f.singleQuotes(n)
		case *syntax.ParamExp:
			f.subscript(n)
		case *syntax.FuncDecl:
			for _, name := range append(n.Names, n.Name) {
				if name != nil {
					f.Functions = append(f.Functions, name.Value)
				}
			}
		case *syntax.Word:
			f.literal(f.text(n.Parts))
		case *syntax.Lit:
			f.literal(n.Value) // of a here-document
		}
		if shells&Zsh != 0 {
			f.zsh(n)
		}
		if shells&Dash != 0 {
			f.dash(n)
		}
		return true
	})
}

func (f *File) slice(n syntax.Node) string { return Slice(f.Text, n) }

// Slice returns the source of a node of a text; $ for a node of a text around it.
func Slice(text string, n syntax.Node) string {
	from, to := n.Pos().Offset(), n.End().Offset()
	if to > uint(len(text)) {
		return "$"
	}
	return text[from:to]
}

// hereDocument notes $(...) with a list after a here-document: bash 5.2 parses it again from a text
// of its own in which a semicolon is missing, so that "a; b" runs a with the argument b.
func (f *File) hereDocument(substitution syntax.Node) {
	found := false
	syntax.Walk(substitution, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Redirect:
			found = found || n.Op == syntax.Hdoc || n.Op == syntax.DashHdoc
		case *syntax.Stmt:
			if found && n.Semicolon.IsValid() && !n.Background {
				f.note("bash may read a here-document in a substitution and the list after it differently", "")
			}
		}
		return true
	})
}

// quotes notes "${x:-'...'}" if it matters that the single quotes are characters there, and not
// quotes.
func (f *File) quotes(part syntax.WordPart) {
	if p, ok := part.(*syntax.ParamExp); ok && p.Exp != nil {
		f.singleQuotes(p.Exp.Word)
	}
	if p, ok := part.(*syntax.ParamExp); ok && p.Repl != nil {
		f.singleQuotes(p.Repl.With)
	}
}

func (f *File) subscript(p *syntax.ParamExp) {
	if p.Index != nil {
		f.singleQuotes(p.Index)
	}
	if p.Slice != nil {
		f.singleQuotes(p.Slice.Offset)
		f.singleQuotes(p.Slice.Length)
	}
}

func (f *File) singleQuotes(node syntax.Node) {
	if isNil(node) {
		return
	}
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false // it has quotes of its own
		case *syntax.SglQuoted:
			if strings.ContainsAny(n.Value, "$`}\"\\") {
				f.note("single quotes inside an expansion in double quotes are not quotes: %s", n.Value)
			}
		}
		return true
	})
}

func isNil(node syntax.Node) bool {
	w, ok := node.(*syntax.Word)
	return node == nil || ok && w == nil
}

// dash notes what bash and other shells called sh read differently, so that one of them may run other
// commands.
func (f *File) dash(n syntax.Node) {
	const separators = "|&;<>(\n"
	differs := false
	switch n := n.(type) {
	case *syntax.SglQuoted:
		differs = n.Dollar
	case *syntax.DblQuoted:
		differs = n.Dollar
	case *syntax.ArithmCmd, *syntax.ExtGlob:
		differs = true
	case *syntax.ArithmExp:
		differs = n.Bracket && strings.ContainsAny(f.slice(n), separators)
	case *syntax.TestClause:
		differs = strings.ContainsAny(f.slice(n), separators)
	case *syntax.Stmt:
		for _, redirect := range n.Redirs {
			both := redirect.Op == syntax.RdrAll || redirect.Op == syntax.AppAll
			differs = differs || both && (n.Cmd != nil && n.Cmd.End().Offset() > redirect.OpPos.Offset() || redirect != n.Redirs[len(n.Redirs)-1])
		}
	}
	if differs {
		f.note("sh and bash read %s differently", f.slice(n))
	}
}

// text returns the text in a word that the shell does not expand.
func (f *File) text(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(unquoted(p.Value))
		case *syntax.SglQuoted:
			text, complete := Single(p)
			b.WriteString(text)
			if !complete {
				f.note(NoControl, "")
			}
		case *syntax.DblQuoted:
			b.WriteString(f.text(p.Parts))
		}
	}
	return b.String()
}

// literal records a text with a substitution, which an arithmetic expression may run: it evaluates
// the values of variables, and subscripts in them run substitutions. An example is x='a[$(y)]';
// echo $((x)).
func (f *File) literal(text string) {
	f.Brackets = f.Brackets || strings.Contains(text, "[") && text != "["
	if strings.ContainsAny(text, "$`\\") && (HasSubstitution(text) || hasEscape(text)) {
		f.Literals = append(f.Literals, text)
	}
}

// HasSubstitution reports whether a text runs commands if it is expanded once more, also together
// with text that follows.
func HasSubstitution(text string) bool {
	for _, begin := range [...]string{"$(", "`", "${ ", "${|"} {
		if strings.Contains(text, begin) {
			return true
		}
	}
	return strings.HasSuffix(text, "$") && strings.LastIndexByte(text, '[') > strings.LastIndexByte(text, ']')
}

// hasEscape reports whether printf may make a substitution in a subscript from a text.
func hasEscape(text string) bool {
	_, subscript, ok := strings.Cut(text, "[")
	for _, c := range [...]string{"44", "24", "140", "60"} { // $ and `, octal and hexadecimal
		for _, before := range [...]string{`\`, `\0`, `\x`, `\u`, `\u00`, `\U`, `\U000000`} {
			if ok && strings.Contains(subscript, before+c) {
				return true
			}
		}
	}
	return false
}
