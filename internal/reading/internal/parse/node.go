package parse

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Variable returns the name of a variable if a part is $NAME or ${NAME}.
func Variable(part syntax.WordPart) (name string, ok bool) {
	p, ok := part.(*syntax.ParamExp)
	if !ok || p.Param == nil || p.Flags != nil || p.Excl || p.Length || p.Width || p.IsSet || p.NestedParam != nil ||
		p.Index != nil || len(p.Modifiers) > 0 || p.Slice != nil || p.Repl != nil || p.Names != 0 || p.Exp != nil ||
		p.Split != 0 || p.GlobSubst != 0 || p.RcExpand != 0 {
		return "", false
	}
	return p.Param.Value, true
}

// Default returns the name of the variable in ${NAME:?}, ${NAME:-d} and the like, and $NAME.
func Default(part syntax.WordPart) (name string, bare syntax.WordPart) {
	p, ok := part.(*syntax.ParamExp)
	if !ok || p.Exp == nil || p.Param == nil {
		return "", nil
	}
	switch p.Exp.Op {
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull:
		without := *p
		without.Exp = nil
		if _, ok := Variable(&without); ok {
			return p.Param.Value, &without
		}
	}
	return "", nil
}

// IsList reports whether an expansion produces several words even inside quotes.
func IsList(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	return ok && (p.Param != nil && p.Param.Value == "@" || p.Index != nil || p.Names != 0 || p.Excl)
}

// HasList reports whether a part of a word is, or quotes, an expansion that may be several words.
func HasList(part syntax.WordPart) bool {
	quotes, ok := part.(*syntax.DblQuoted)
	name, isName := Variable(part)
	return IsList(part) || isName && name == "*" || ok && slices.ContainsFunc(quotes.Parts, IsList)
}

// IsNumber reports whether the value of an expansion is a number.
func IsNumber(part syntax.WordPart) bool {
	if name, ok := Variable(part); ok {
		return name == "?" || name == "$" || name == "#"
	}
	_, ok := part.(*syntax.ArithmExp)
	return ok
}

// IsOutput reports whether a word is one command substitution.
func IsOutput(part syntax.WordPart) bool {
	_, ok := bare(part).(*syntax.CmdSubst)
	return ok
}

// bare returns a part without the double quotes that only it is in.
func bare(part syntax.WordPart) syntax.WordPart {
	if quotes, ok := part.(*syntax.DblQuoted); ok && len(quotes.Parts) == 1 {
		return quotes.Parts[0]
	}
	return part
}

// HasTilde reports whether an assigned word has an unquoted tilde, which the shell expands at its
// beginning and after a colon.
func HasTilde(w *syntax.Word) bool {
	return slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		lit, ok := p.(*syntax.Lit)
		return ok && strings.Contains(lit.Value, "~")
	})
}

// Only returns the simple command that is all of a substitution, without assignments and
// redirections; nil for any other part.
func Only(part syntax.WordPart) *syntax.CallExpr {
	s, ok := part.(*syntax.CmdSubst)
	if !ok || len(s.Stmts) != 1 || len(s.Stmts[0].Redirs) > 0 || s.TempFile || s.ReplyVar {
		return nil
	}
	c, ok := s.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(c.Assigns) > 0 || s.Stmts[0].Negated || s.Stmts[0].Background {
		return nil
	}
	return c
}

// Located returns the words of $(which NAME), $(command -v NAME) and $(type -P NAME), and NAME; nil for
// any other word.
func Located(w *syntax.Word) (words []string, name string) {
	if len(w.Parts) != 1 {
		return nil, ""
	}
	substitution, ok := bare(w.Parts[0]).(*syntax.CmdSubst)
	if !ok || len(substitution.Stmts) != 1 {
		return nil, ""
	}
	c, ok := substitution.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(c.Assigns) > 0 {
		return nil, ""
	}
	for _, arg := range c.Args {
		words = append(words, arg.Lit())
	}
	line := strings.Join(words, " ")
	for _, command := range [...]string{"which ", "command -v ", "type -P "} {
		name, ok := strings.CutPrefix(line, command)
		if ok && name != "" && !strings.ContainsAny(name, "/\\ *?[~{-") && !slices.Contains(words, "") {
			return words, name
		}
	}
	return nil, ""
}

// Stages returns the statements of a pipeline in order; nil for another command.
func Stages(command syntax.Command) (all []*syntax.Stmt) {
	c, ok := command.(*syntax.BinaryCmd)
	if !ok || !isPipe(c) {
		return nil
	}
	all = []*syntax.Stmt{c.Y}
	for {
		first, ok := c.X.Cmd.(*syntax.BinaryCmd)
		if !ok || !isPipe(first) || len(c.X.Redirs) > 0 {
			all = append(all, c.X)
			break
		}
		all, c = append(all, first.Y), first
	}
	slices.Reverse(all)
	return all
}

func isPipe(c *syntax.BinaryCmd) bool { return c.Op == syntax.Pipe || c.Op == syntax.PipeAll }

// IsAnd reports whether a statement is only a list of &&.
func IsAnd(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.BinaryCmd)
	return ok && c.Op == syntax.AndStmt && !s.Negated && !s.Background && !s.Coprocess && !s.Disown
}

// ReadsProcess reports whether a redirection reads the output of <(...).
func ReadsProcess(redirs []*syntax.Redirect) bool {
	return slices.ContainsFunc(redirs, func(r *syntax.Redirect) bool {
		return slices.ContainsFunc(r.Word.Parts, func(p syntax.WordPart) bool {
			_, ok := p.(*syntax.ProcSubst)
			return ok
		})
	})
}

// Timed returns the command after time, whose options the parser leaves before it; nil if there is
// none.
func Timed(n *syntax.TimeClause) *syntax.Stmt {
	if n.Stmt == nil {
		return nil
	}
	s := *n.Stmt
	if c, ok := s.Cmd.(*syntax.CallExpr); ok && len(c.Args) > 1 && strings.HasPrefix(c.Args[0].Lit(), "-") {
		s.Cmd = &syntax.CallExpr{Assigns: c.Assigns, Args: append([]*syntax.Word{{Parts: []syntax.WordPart{&syntax.Lit{Value: "time"}}}}, c.Args...)}
	}
	return &s
}

// Coprocess returns a coprocess's pipeline with the word that the parser took for the name, unless a
// compound command follows it, which a name may precede. sure is false if the name may be the command.
func Coprocess(s *syntax.Stmt, name *syntax.Word) (pipeline *syntax.Stmt, named, sure bool) {
	first := *s
	sure = true
	switch c := s.Cmd.(type) {
	case *syntax.Block, *syntax.Subshell, *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause, *syntax.TestClause, *syntax.ArithmCmd:
		return s, true, true
	case *syntax.BinaryCmd:
		all := *c
		all.X, named, sure = Coprocess(c.X, name)
		first.Cmd = &all
	case *syntax.CallExpr:
		first.Cmd = &syntax.CallExpr{Args: append([]*syntax.Word{name}, c.Args...), Assigns: c.Assigns}
	case nil:
		first.Cmd = &syntax.CallExpr{Args: []*syntax.Word{name}}
	default:
		sure = false
	}
	return &first, named, sure
}

// IsStraight reports whether a text consists of simple commands, each with || exit 1 at most, whose
// redirections leave the exit status unchanged.
func IsStraight(text string) bool {
	file, text, rest, _ := parse(text, syntax.LangBash)
	if rest != "" {
		return false
	}
	return !slices.ContainsFunc(file.Stmts, func(s *syntax.Stmt) bool {
		slice := func(n syntax.Node) string { return text[n.Pos().Offset():n.End().Offset()] }
		if or, ok := s.Cmd.(*syntax.BinaryCmd); ok && or.Op == syntax.OrStmt && slice(or.Y) == "exit 1" && len(s.Redirs) == 0 {
			s = or.X
		}
		_, simple := s.Cmd.(*syntax.CallExpr)
		return !simple || s.Negated || s.Background || s.Coprocess || s.Disown || slices.ContainsFunc(s.Redirs, func(r *syntax.Redirect) bool {
			return !slices.Contains([]string{">&1", ">&2", ">/dev/null", ">/dev/stderr"}, strings.TrimLeft(strings.ReplaceAll(slice(r), " ", ""), "12"))
		})
	})
}
