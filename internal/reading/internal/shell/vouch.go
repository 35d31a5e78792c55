package shell

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// maxVouched is the maximum length of a text that is vouched for.
const maxVouched = 16 << 10

// Vouch returns nil if an allow may vouch for a shell text (D78), otherwise the
// reason why not. The text must consist of simple commands in the part of the
// grammar that bash, dash, zsh and fish read alike, also at a prompt, and match
// must accept the line of each command, including those that the commands run, for
// every value of a glob, and must name the options that write or run something (D126).
//
// What is not known to be harmless is refused: only the kinds of syntax nodes,
// the characters and the options that are listed here are accepted. Vouch says
// nothing about aliases, PATH or files, which decide what programs do.
// bash means that zsh does not read the text (D97).
func Vouch(text string, bash bool, match func(line Invocation) bool) error {
	if len(text) > maxVouched {
		return fmt.Errorf("it is longer than %d KiB", maxVouched>>10)
	}
	if err := vouchCharacters(text); err != nil {
		return err
	}
	r := Reader{} // it limits the nesting
	if err := r.Read(text); err != nil {
		return err
	}
	if err := vouchSyntax(text, bash); err != nil {
		return err
	}
	if err := r.Unlisted(); err != nil {
		return err
	}
	lines := r.Invocations()
	if len(lines) == 0 {
		return errors.New("it has no command")
	}
	for _, l := range lines {
		switch c := &r.Commands[l.Command]; {
		case len(c.Assigns) > 0:
			return fmt.Errorf("it assigns %s", excerpt(c.Assigns[0]))
		case c.Inside > 0 && len(l.Pieces) > 0:
			return fmt.Errorf("another program fills in arguments of %s", excerpt(l.String()))
		case Program(c.Words[0]) == "zsh":
			return errors.New("zsh reads its text in a way of its own")
		case !match(l):
			return fmt.Errorf("the pattern does not match the whole line %s", excerpt(l.String()))
		}
		if word := l.Unnamed(match); word != "" {
			return fmt.Errorf("%s may make %s write or run something, and the pattern does not name it", excerpt(word), excerpt(l.Words[0]))
		}
	}
	return nil
}

// vouchSyntax checks everything but the characters and the pattern.
func vouchSyntax(text string, bash bool) error {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
	if err != nil {
		return err
	}
	v := voucher{text: text, bash: bash}
	v.comments(file.Last)
	for _, s := range file.Stmts {
		v.statement(s)
	}
	return v.err
}

// vouchCharacters refuses characters that a shell, its prompt or a terminal may
// treat in a way of its own.
func vouchCharacters(text string) error {
	backslash, foreign := false, false
	for i, c := range text {
		switch {
		case c == '\n':
			if i > 0 && text[i-1] == '\\' {
				return errors.New("it has a backslash at the end of a line")
			}
		case c == utf8.RuneError:
			return errors.New("it is not valid UTF-8")
		case !unicode.IsPrint(c):
			return fmt.Errorf("it has the character %U", c)
		case c == '!':
			return errors.New("a prompt replaces ! by an earlier command")
		case c == '\\':
			backslash = true
		case c >= utf8.RuneSelf:
			foreign = true
		}
	}
	if backslash && foreign { // the last byte of a character and \ are one character in some encodings
		return errors.New("it has a backslash and a character outside ASCII")
	}
	return nil
}

// voucher walks a syntax tree and keeps the first reason to refuse it.
type voucher struct {
	text string
	bash bool // zsh does not read the text: with extended_glob, HEAD^ is a pattern
	err  error
}

func (v *voucher) refuse(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf(format, args...)
	}
}

func (v *voucher) comments(comments []syntax.Comment) {
	if len(comments) > 0 {
		v.refuse("it has a comment")
	}
}

func (v *voucher) statement(s *syntax.Stmt) {
	v.comments(s.Comments)
	if s.Negated || s.Background || s.Coprocess || s.Disown {
		v.refuse("it has !, & or |&")
	}
	if s.Semicolon.IsValid() && v.text[s.Semicolon.Offset()] != ';' {
		v.refuse("it has an operator other than && || ; and |")
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		v.simple(c, s.Redirs)
	case *syntax.BinaryCmd:
		if len(s.Redirs) > 0 || c.Op != syntax.AndStmt && c.Op != syntax.OrStmt && c.Op != syntax.Pipe {
			v.refuse("it has an operator other than && || ; and |")
		}
		v.statement(c.X)
		v.statement(c.Y)
	default:
		v.refuse("it has something else than simple commands: %s", excerpt(v.slice(s)))
	}
}

func (v *voucher) slice(n syntax.Node) string {
	return v.text[n.Pos().Offset():n.End().Offset()]
}

// simple checks a simple command.
func (v *voucher) simple(c *syntax.CallExpr, redirects []*syntax.Redirect) {
	if len(c.Assigns) > 0 || len(c.Args) == 0 {
		v.refuse("it has an assignment or no program")
		return
	}
	for _, r := range redirects {
		v.redirect(r, c)
	}
	name := v.slice(c.Args[0])
	v.name(name, c.Args[0])
	var args []vouched
	ended := false // after --, no word is an option
	for _, a := range c.Args[1:] {
		args = append(args, v.word(a, ended))
		ended = ended || args[len(args)-1].is("--")
	}
	if name == "[" {
		if len(args) == 0 || !args[len(args)-1].is("]") {
			v.refuse("it has a [ without ]")
			return
		}
		args = args[:len(args)-1]
	}
	if len(c.Args) == 1 && strings.Contains(name, "/") {
		v.refuse("some shells change to the directory %s, if it is one", excerpt(name))
	}
	v.builtin(name, args)
}

// name checks the word that names a program: literal, without quotes.
func (v *voucher) name(name string, w *syntax.Word) {
	if name == "[" || name == ":" {
		return
	}
	for i := range len(name) {
		c := name[i]
		if !isAlphanumeric(c) && strings.IndexByte("_./", c) < 0 && (i == 0 || strings.IndexByte("-+", c) < 0) {
			v.refuse("the program's name is more than letters, digits and _ . / + -: %s", excerpt(name))
			return
		}
	}
	if lit, ok := w.Parts[0].(*syntax.Lit); !ok || len(w.Parts) != 1 || lit.Value != name {
		v.refuse("the program's name is not literal: %s", excerpt(name))
	}
	base := name[strings.LastIndexByte(name, '/')+1:]
	if strings.Trim(base, ".") == "" {
		v.refuse("%s is a directory", excerpt(name))
	}
	if slices.Contains(builtins[:], strings.ToLower(name)) {
		v.refuse("%s is a command of the shell itself", name)
	}
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// redirect accepts redirections to /dev/null and 2>&1.
func (v *voucher) redirect(r *syntax.Redirect, c *syntax.CallExpr) {
	begin := r.Pos().Offset()
	target := v.slice(r.Word)
	isDigit := func(text string) bool { return text == "0" || text == "1" || text == "2" }
	switch {
	case !r.Pos().After(c.Args[0].End()) || v.text[begin-1] != ' ':
		v.refuse("a redirection does not follow a space and the program's name")
	case r.N != nil && !isDigit(r.N.Value), r.Hdoc != nil:
		v.refuse("it has a redirection other than to /dev/null or between descriptors 0 to 2")
	case r.Op == syntax.DplOut && isDigit(target) && v.text[r.OpPos.Offset()+2:][:1] == target:
	case (r.Op == syntax.RdrOut || r.Op == syntax.AppOut || r.Op == syntax.RdrIn) && target == "/dev/null":
	default:
		v.refuse("it has a redirection other than to /dev/null or between descriptors 0 to 2")
	}
}

// vouched is a word without its quotes.
type vouched struct {
	text []byte
	glob int // index of the first unquoted * or ?; -1 if none
}

func (w *vouched) is(text string) bool { return string(w.text) == text }

// word checks an argument. ended means that it is no option.
func (v *voucher) word(w *syntax.Word, ended bool) vouched {
	b := vouched{glob: -1}
	single := false // the previous part is in single quotes
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			v.literal(&b, p.Value)
		case *syntax.SglQuoted:
			if p.Dollar || single {
				v.refuse("shells read the quotes in %s differently", excerpt(v.slice(w)))
			}
			if strings.HasSuffix(p.Value, `\`) || strings.Contains(p.Value, `\\`) || strings.Contains(p.Value, "\n") {
				v.refuse("it has a newline, \\\\ or \\' in single quotes")
			}
			b.text = append(b.text, p.Value...)
		case *syntax.DblQuoted:
			if p.Dollar {
				v.refuse("it has an expansion: %s", excerpt(v.slice(w)))
			}
			for _, inner := range p.Parts {
				lit, ok := inner.(*syntax.Lit)
				if !ok {
					v.refuse("it has an expansion: %s", excerpt(v.slice(w)))
					return b
				}
				v.quoted(&b, lit.Value)
			}
		default:
			v.refuse("it has an expansion: %s", excerpt(v.slice(w)))
		}
		_, single = part.(*syntax.SglQuoted)
	}
	if !ended && (b.glob == 0 || b.glob > 0 && b.text[0] == '-') {
		v.refuse("a glob must follow a literal character other than -: %s", excerpt(v.slice(w)))
	}
	return b
}

// literal checks text outside quotes.
func (v *voucher) literal(b *vouched, text string) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case isAlphanumeric(c), strings.IndexByte("_-./,+@", c) >= 0:
		case c == ':' || c == '%':
			if c == '%' && len(b.text) == 0 {
				v.refuse("a word begins with %%, which is a job of the shell")
			}
		case c == '=':
			if last := len(b.text) - 1; last < 0 && text != "=" || last >= 0 && strings.IndexByte("=:", b.text[last]) >= 0 {
				v.refuse("zsh expands =NAME")
			}
		case (c == '~' || c == '^' && v.bash) && i > 0 && isAlphanumeric(text[i-1]) && isRevision(text[i+1:]) && !strings.ContainsAny(text, "*?"): // HEAD~1 and HEAD^
		case c == '^' && v.bash && i > 0 && text[i-1] == '^': // HEAD^^
		case c == ']' && text == "]" && len(b.text) == 0: // of [
		case c == '*' || c == '?': // fish reads to the end of [...]
			if b.glob < 0 {
				b.glob = len(b.text)
			}
		case c == '\\' && i+1 < len(text) && strings.IndexByte(" \"'$&*();<>?[]|.,:+-", text[i+1]) >= 0:
			i++
			c = text[i]
		default:
			v.refuse("it has an unquoted %q", c)
		}
		b.text = append(b.text, c)
	}
}

// isRevision reports whether the text after ~ or ^ continues a revision of git, which no shell changes.
func isRevision(rest string) bool {
	rest = strings.TrimLeft(rest, "0123456789")
	return rest == "" || strings.IndexByte("~^.:", rest[0]) >= 0
}

// quoted checks text in double quotes.
func (v *voucher) quoted(b *vouched, text string) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			if i+1 < len(text) && strings.IndexByte("\"\\$", text[i+1]) >= 0 {
				i++
			} else if i+1 == len(text) || text[i+1] == '`' {
				v.refuse("shells read a backslash before ` in double quotes differently")
			}
		case '$', '`', '\n':
			v.refuse("it has a newline or an unescaped %q in double quotes", c)
		}
		b.text = append(b.text, text[i])
	}
}

// operators are the options of test that evaluate nothing.
var operators = [...]string{"-e", "-f", "-d", "-r", "-w", "-x", "-s", "-n", "-z", "-L", "-h"}

// builtin checks the arguments of the commands that shells have built in.
func (v *voucher) builtin(name string, args []vouched) {
	switch name {
	case "test", "[":
		for _, a := range args { // zsh and ksh evaluate the operands of -eq, -t and the like
			if a.glob >= 0 || bytes.HasPrefix(a.text, []byte("-")) && !slices.Contains(operators[:], string(a.text)) {
				v.refuse("%s evaluates its operands, or has a glob", name)
			}
		}
	case "printf":
		if len(args) == 0 || !isPlainFormat(string(args[0].text)) || slices.ContainsFunc(args, func(a vouched) bool { return a.glob >= 0 }) {
			v.refuse("printf has an option, a glob, or a format with more than %%s and %%b")
		}
	}
}

// isPlainFormat reports whether printf with this format evaluates and assigns
// nothing.
func isPlainFormat(format string) bool {
	return !strings.HasPrefix(format, "-") && !strings.Contains(strings.NewReplacer("%%", "", "%s", "", "%b", "").Replace(format), "%")
}

// builtins are the reserved words and the commands of bash, dash, zsh, fish and
// ksh themselves, except those that only print or compare: echo, printf, test,
// [, true, false, : and pwd. Those of fish and zsh's modules are included.
var builtins = [...]string{
	"abbr", "alias", "and", "argparse", "autoload", "begin", "bg", "bind", "bindkey", "block", "break", "breakpoint", "breaksw", "builtin", "bye", "caller", "cap", "case", "cd", "cdh", "chdir", "clone", "command", "commandline", "compadd", "comparguments", "compcall", "compctl", "compdescribe", "compfiles", "compgen", "compgroups", "complete", "compopt", "compquote", "compset", "comptags", "comptry", "compvalues", "contains", "contains_seq", "continue", "coproc", "count",
	"declare", "default", "dirh", "dirs", "disable", "disown", "do", "done", "echotc", "echoti", "edit_command_buffer", "elif", "else", "emit", "emulate", "enable", "end", "endif", "endsw", "esac", "eval", "exec", "exit", "export", "fc", "fg", "fi", "float", "for", "foreach", "funced", "funcsave", "function", "functions", "getcap", "getln", "getopts", "goto", "hash", "help", "hist", "history", "if", "in", "integer", "isatty", "jobs", "kill", "let", "limit", "local", "log", "login", "logout", "mapfile", "math", "nameref", "newgrp", "nextd", "nocorrect", "noglob", "not", "open", "or",
	"path", "popd", "prevd", "print", "private", "psub", "pushd", "pushln", "r", "random", "read", "readarray", "readonly", "realpath", "rehash", "repeat", "return", "sched", "select", "set", "set_color", "setcap", "setenv", "setopt", "shift", "shopt", "source", "stat", "status", "strftime", "string", "suspend", "switch", "syserror", "sysopen", "sysread", "sysseek", "syswrite", "then", "time", "times", "trap", "ttyctl", "type", "typeset", "ulimit", "umask", "unalias", "unfunction", "unhash", "unlimit", "unset", "unsetenv", "unsetopt", "until", "vared", "wait", "whence", "where", "which", "while", "zcompile", "zcurses", "zdelattr", "zformat", "zftp", "zgetattr", "zle", "zlistattr", "zmodload", "zparseopts", "zprof", "zpty", "zregexparse", "zselect", "zsetattr", "zsocket", "zstat", "zstyle", "zsystem", "ztcp",
}
