package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// checkText notes what the parser reads otherwise than the shells.
func (r *Reader) checkText(file *syntax.File) {
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DblQuoted:
			for _, part := range n.Parts {
				r.checkQuotes(part)
			}
		case *syntax.Redirect:
			if n.Hdoc != nil {
				r.bytes -= int(n.Hdoc.End().Offset() - n.Hdoc.Pos().Offset())
				for _, part := range n.Hdoc.Parts {
					r.checkQuotes(part)
				}
			}
		case *syntax.CmdSubst:
			if !n.Backquotes {
				r.checkHereDocument(n)
			}
		case *syntax.ProcSubst:
			r.checkHereDocument(n)
		case *syntax.ArithmExp:
			r.checkSingleQuotes(n)
		case *syntax.ArithmCmd:
			r.checkSingleQuotes(n)
		case *syntax.ParamExp:
			r.checkSubscriptQuotes(n)
		case *syntax.FuncDecl:
			if r.defined == nil {
				r.defined = map[string]bool{}
			}
			for _, name := range append(n.Names, n.Name) {
				if name != nil {
					r.defined[name.Value] = true
				}
			}
		case *syntax.Word:
			r.checkLiteral(r.literal(n.Parts))
		case *syntax.Lit:
			r.checkLiteral(n.Value) // of a here-document
		}
		r.checkZsh(n)
		if r.dash {
			r.checkDash(n)
		}
		return true
	})
}

// checkHereDocument notes $(...) with a list after a here-document: bash 5.2
// parses it again from a text of its own in which a semicolon is missing, so
// that "a; b" runs a with the argument b.
func (r *Reader) checkHereDocument(substitution syntax.Node) {
	found := false
	syntax.Walk(substitution, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Redirect:
			found = found || n.Op == syntax.Hdoc || n.Op == syntax.DashHdoc
		case *syntax.Stmt:
			if found && n.Semicolon.IsValid() && !n.Background {
				r.note("bash may read a here-document in a substitution and the list after it differently")
			}
		}
		return true
	})
}

// checkQuotes notes "${x:-'...'}" if it matters that the single quotes are
// characters there, and not quotes.
func (r *Reader) checkQuotes(part syntax.WordPart) {
	if p, ok := part.(*syntax.ParamExp); ok && p.Exp != nil {
		r.checkSingleQuotes(p.Exp.Word)
	}
	if p, ok := part.(*syntax.ParamExp); ok && p.Repl != nil {
		r.checkSingleQuotes(p.Repl.With)
	}
}

func (r *Reader) checkSubscriptQuotes(p *syntax.ParamExp) {
	if p.Index != nil {
		r.checkSingleQuotes(p.Index)
	}
	if p.Slice != nil {
		r.checkSingleQuotes(p.Slice.Offset)
		r.checkSingleQuotes(p.Slice.Length)
	}
}

func (r *Reader) checkSingleQuotes(node syntax.Node) {
	if isNil(node) {
		return
	}
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false // it has quotes of its own
		case *syntax.SglQuoted:
			if strings.ContainsAny(n.Value, "$`}\"\\") {
				r.note("single quotes inside an expansion in double quotes are not quotes: %s", excerpt(n.Value))
			}
		}
		return true
	})
}

func isNil(node syntax.Node) bool {
	w, ok := node.(*syntax.Word)
	return node == nil || ok && w == nil
}

// checkDash notes text that bash and other shells called sh read differently,
// so that one of them may run other commands.
func (r *Reader) checkDash(n syntax.Node) {
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
		differs = n.Bracket && strings.ContainsAny(r.slice(n), separators)
	case *syntax.TestClause:
		differs = strings.ContainsAny(r.slice(n), separators)
	case *syntax.Stmt:
		for _, redirect := range n.Redirs {
			both := redirect.Op == syntax.RdrAll || redirect.Op == syntax.AppAll
			differs = differs || both && (n.Cmd != nil && n.Cmd.End().Offset() > redirect.OpPos.Offset() || redirect != n.Redirs[len(n.Redirs)-1])
		}
	}
	if differs {
		r.note("sh and bash read %s differently", excerpt(r.slice(n)))
	}
}

// literal returns the text in a word that the shell does not expand.
func (r *Reader) literal(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			unquoted(&b, p.Value)
		case *syntax.SglQuoted:
			if p.Dollar {
				b.WriteString(r.ansi(p.Value))
			} else {
				b.WriteString(p.Value)
			}
		case *syntax.DblQuoted:
			b.WriteString(r.literal(p.Parts))
		}
	}
	return b.String()
}

// hasSubstitution reports whether text runs commands if it is expanded once
// more, also together with text that follows.
func hasSubstitution(text string) bool {
	for _, begin := range [...]string{"$(", "`", "${ ", "${|"} {
		if strings.Contains(text, begin) {
			return true
		}
	}
	return strings.HasSuffix(text, "$") && strings.LastIndexByte(text, '[') > strings.LastIndexByte(text, ']')
}

// hasEscape reports whether printf may make a substitution in a subscript from
// text.
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

// checkLiteral records text with a substitution, which an arithmetic expression
// may run: it evaluates the values of variables, and subscripts in them run
// substitutions. An example is x='a[$(y)]'; echo $((x)).
func (r *Reader) checkLiteral(text string) {
	r.brackets = r.brackets || strings.Contains(text, "[") && text != "["
	if strings.ContainsAny(text, "$`\\") && (hasSubstitution(text) || hasEscape(text)) {
		if r.suspects == nil {
			r.suspects = map[string]bool{}
		}
		r.suspects[text] = true
	}
}

// checkArithmetic notes texts in which an arithmetic expression may run a
// literal.
func (r *Reader) checkArithmetic() {
	for text := range r.suspects {
		if r.evaluates && r.brackets {
			r.note("an arithmetic expression or a subscript may run what is in %s", excerpt(text))
		}
	}
}

// subscripts are builtins that evaluate array subscripts in their arguments, or
// arithmetic expressions.
var subscripts = [...]string{"declare", "typeset", "local", "export", "readonly", "let", "unset", "read", "printf", "test", "[", "mapfile", "readarray", "wait", "getopts", "[["}

// checkSubscripts records a builtin that may evaluate a subscript:
// declare 'a[$(x)]'.
func (r *Reader) checkSubscripts(name string, args []word) {
	evaluates := name == "let" || name == "getopts" || name == "read" || name == "mapfile" || name == "readarray"
	for i, a := range args {
		option := strings.HasPrefix(a.text, "-")
		switch name {
		case "printf", "wait":
			option = option && strings.ContainsAny(a.text, "vp")
			evaluates = evaluates || option || i == 0 && a.unknown
		case "test", "[":
			evaluates = evaluates || a.text == "-v" || a.text == "-R" || a.unknown && len(args)-i >= 2
		default:
			evaluates = evaluates || a.unknown || a.filled || option || strings.Contains(a.text, "[")
		}
	}
	r.evaluates = r.evaluates || evaluates
}

// integers are variables whose assigned values bash evaluates, or that have
// values of their own. Assigning to a read-only one is an error.
var integers = [...]string{"RANDOM", "SRANDOM", "SECONDS", "LINENO", "HISTCMD", "OPTIND", "EPOCHSECONDS", "EPOCHREALTIME", "UID", "EUID", "PPID", "SHELLOPTS", "FUNCNAME", "GROUPS", "DIRSTACK", "PIPESTATUS", "COMP_CWORD", "_"}

// prompts are variables whose values shells expand and so run.
var prompts = [...]string{"PS0", "PS1", "PS2", "PS3", "PS4", "ENV", "BASH_ENV", "PROMPT_COMMAND"}

// checkAssignment notes a value that the shell runs.
func (r *Reader) checkAssignment(name string, value word) {
	r.path = r.path || name == "PATH"
	switch {
	case slices.Contains(prompts[:], name):
		if hasSubstitution(value.text) || strings.Contains(value.text, "<(") || name == "PROMPT_COMMAND" && value.text != "" {
			r.note("the shell may run the value of %s: %s", name, excerpt(value.text))
		}
	case strings.HasPrefix(name, "BASH_FUNC_"), name == "BASH_ALIASES", name == "BASH_CMDS":
		r.note("the shell may run the value of %s: %s", name, excerpt(value.text))
	}
	if slices.Contains(integers[:], name) || strings.HasPrefix(name, "BASH") {
		r.vars.taint(name)
		r.vars.lost = true
		r.evaluates = true
	}
	if name == "BASH_ENV" || name == "ENV" { // a file of functions for the shells that this one runs
		r.dark = true
	}
}
