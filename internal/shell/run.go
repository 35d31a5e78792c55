package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// shells have the grammar that this package parses, or a similar one, whose
// differences are syntax errors here. otherShells have other grammars.
var (
	shells      = [...]string{"sh", "bash", "dash", "ash", "rbash", "ksh", "mksh"}
	otherShells = [...]string{"zsh", "fish", "csh", "tcsh", "nu", "elvish", "xonsh", "pwsh", "powershell", "cmd"}
	// subscripts are builtins that evaluate array subscripts in their words.
	subscripts = [...]string{"declare", "typeset", "local", "export", "readonly", "let", "unset", "read", "printf", "test", "[", "mapfile", "readarray", "wait", "getopts"}
)

// run reads the further commands that a command runs.
func (r *Reader) run(words []word, line int, at place) {
	if words[0].unknown || words[0].glob {
		refuse("the command word %s is not static", excerpt(words[0].text))
	}
	name, args := Program(words[0].text), words[1:]
	if slices.Contains(r.aliases, words[0].text) {
		refuse("the command word %s is an alias", excerpt(words[0].text))
	}
	inner := place{inside: line, pipeline: at.pipeline, position: at.position, reads: at.reads, input: at.input, more: at.more}
	switch {
	case slices.Contains(shells[:], name):
		r.shell(name, args, inner)
	case slices.Contains(otherShells[:], name):
		r.otherShell(name, args, inner)
	case slices.Contains(subscripts[:], name):
		checkSubscripts(name, args)
	}
	switch name {
	case "eval":
		r.joined(name, args, inner)
	case "trap":
		if args = options(args, ""); len(args) > 0 && args[0].text != "-" {
			r.static(name, args[0], place{inside: line})
		}
	case "alias":
		for _, a := range args {
			if alias, value, ok := strings.Cut(a.text, "="); ok {
				r.aliases = append(r.aliases, alias)
				r.static(name, word{text: value, unknown: a.unknown, glob: a.glob}, place{inside: line})
			}
		}
	case "find":
		r.find(args, inner)
	case "su", "runuser", "script", "flock":
		r.textOption(name, args, inner)
	case "env":
		r.envText(args, inner)
	}
	if w, ok := findWrapper(name); ok {
		r.wrapped(w, args, inner)
	}
}

// Program returns the name of a program without its folder and .exe, in lower
// case.
func Program(word string) string {
	name := strings.ToLower(word[strings.LastIndexByte(word, '/')+1:])
	return strings.TrimSuffix(name, ".exe")
}

func excerpt(text string) string {
	const limit = 60
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "..."
	}
	return "`" + text + "`"
}

// static reads a word as shell text. It rejects a word whose value is unknown.
func (r *Reader) static(name string, w word, at place) {
	if w.unknown || w.glob {
		refuse("the text that %s runs is not static: %s", name, excerpt(w.text))
	}
	r.text(w.text, at)
}

// joined reads words that a program joins to one shell text.
func (r *Reader) joined(name string, args []word, at place) {
	if at.more {
		refuse("the text that %s runs comes from its input", name)
	}
	var all word
	var parts []string
	for _, a := range args {
		parts = append(parts, a.text)
		all.unknown, all.glob = all.unknown || a.unknown, all.glob || a.glob
	}
	all.text = strings.Join(parts, " ")
	r.static(name, all, at)
}

// shell reads the text that a shell executes: after -c, or from its input.
func (r *Reader) shell(name string, args []word, at place) {
	text, input := false, true
	for len(args) > 0 {
		a := args[0].text
		if args[0].unknown && len(args) > 1 && (args[0].splits || !strings.Contains(a, "/")) {
			refuse("an option of %s may be in %s", name, excerpt(a))
		}
		if a == "--" || a == "-" {
			args = args[1:]
			break
		}
		if len(a) < 2 || a[0] != '-' && a[0] != '+' || args[0].unknown {
			break
		}
		args = args[1:]
		if strings.HasPrefix(a, "--") {
			if a == "--rcfile" || a == "--init-file" {
				args = args[min(1, len(args)):]
			}
			continue
		}
		text = text || a[0] == '-' && strings.Contains(a, "c")
		if strings.ContainsAny(a[1:], "oO") {
			args = args[min(1, len(args)):]
		}
		if strings.Contains(a, "s") && a[0] == '-' {
			r.shellInput(name, at)
		}
	}
	r.script(name, args)
	switch {
	case len(args) == 0 && (text || at.more):
		refuse("the text that %s runs comes from its input or is missing", name)
	case text:
		r.static(name, args[0], at)
		input = false
	case len(args) > 0:
		input = args[0].text == "/dev/stdin" || args[0].text == "/dev/fd/0" || args[0].text == "/proc/self/fd/0"
	}
	if input {
		r.shellInput(name, at)
	}
}

// script rejects a script that is the output of other commands.
func (r *Reader) script(name string, args []word) {
	if len(args) > 0 && args[0].unknown && strings.HasPrefix(args[0].text, "<(") {
		refuse("the text that %s runs is not static: %s", name, excerpt(args[0].text))
	}
}

// shellInput reads the here-documents that a shell executes.
func (r *Reader) shellInput(name string, at place) {
	for _, redirect := range at.input {
		var w word
		switch {
		case redirect.Op == syntax.WordHdoc:
			w = r.word(redirect.Word)
		case redirect.Hdoc != nil:
			w = r.hereDocument(redirect)
		default:
			continue
		}
		at.input = nil
		r.static(name, w, at)
	}
}

// hereDocument resolves the text of a here-document.
func (r *Reader) hereDocument(redirect *syntax.Redirect) word {
	literal := slices.ContainsFunc(redirect.Word.Parts, func(p syntax.WordPart) bool {
		lit, ok := p.(*syntax.Lit)
		return !ok || strings.Contains(lit.Value, "\\")
	})
	var w word
	for _, part := range redirect.Hdoc.Parts {
		lit, ok := part.(*syntax.Lit)
		switch {
		case !ok:
			w.text += r.slice(part)
			w.unknown = true
		case literal:
			w.text += lit.Value
		default:
			w.text += quoted(lit.Value, "$`\\")
		}
	}
	if redirect.Op == syntax.DashHdoc {
		lines := strings.Split(w.text, "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
		w.text = strings.Join(lines, "\n")
	}
	return w
}

// otherShell rejects text in a grammar that this package does not parse.
func (r *Reader) otherShell(name string, args []word, at place) {
	if len(args) == 0 && at.pipeline == 0 && len(at.input) == 0 && !at.more {
		return
	}
	if len(args) > 0 && !args[0].unknown && !strings.HasPrefix(args[0].text, "-") && !strings.HasPrefix(args[0].text, "/") {
		return // a script
	}
	refuse("%s is not a POSIX shell", name)
}

// checkSubscripts rejects a subscript that runs commands: declare 'a[$(x)]'.
func checkSubscripts(name string, args []word) {
	for _, a := range args {
		_, subscript, ok := strings.Cut(a.text, "[")
		if ok && !a.unknown && (strings.Contains(subscript, "$(") || strings.Contains(subscript, "`")) && strings.Contains(subscript, "]") {
			refuse("%s may run what is in the subscript %s", name, excerpt(a.text))
		}
	}
}

// find reads the commands after -exec and similar options.
func (r *Reader) find(args []word, at place) {
	for i := 0; i < len(args); i++ {
		switch args[i].text {
		case "-exec", "-execdir", "-ok", "-okdir":
		default:
			continue
		}
		end := i + 1
		for end < len(args) && args[end].text != ";" && (args[end].text != "+" || args[end-1].text != "{}") {
			end++
		}
		if end > i+1 {
			r.replaced("find", args[i+1:end], "{}", at)
		}
		i = end
	}
}

// replaced reads a command in which a program replaces a text.
func (r *Reader) replaced(name string, words []word, text string, at place) {
	if text != "" && strings.Contains(words[0].text, text) {
		refuse("the command word that %s runs is not static", name)
	}
	r.call(words, nil, at)
}

// textOption reads the text after -c of su and others.
func (r *Reader) textOption(name string, args []word, at place) {
	for i, a := range args {
		option, value, ok := strings.Cut(a.text, "=")
		switch {
		case a.unknown:
		case ok && (option == "--command" || option == "--session-command"):
			r.static(name, word{text: value}, at)
		case i+1 < len(args) && (a.text == "--command" || a.text == "--session-command" || len(a.text) > 1 && a.text[0] == '-' && a.text[1] != '-' && strings.HasSuffix(a.text, "c")):
			r.static(name, args[i+1], at)
		}
	}
}

// envText reads the text after env -S.
func (r *Reader) envText(args []word, at place) {
	for i, a := range args {
		value, long := strings.CutPrefix(a.text, "--split-string=")
		before, after, short := strings.Cut(a.text, "S")
		switch {
		case a.unknown || a.text == "" || a.text[0] != '-':
		case long:
			r.static("env", word{text: value}, at)
		case a.text == "--split-string" && i+1 < len(args), short && after == "" && !strings.HasPrefix(before, "--") && i+1 < len(args):
			r.joined("env", args[i+1:], at)
			return
		case short && !strings.HasPrefix(before, "--"):
			r.joined("env", append([]word{{text: after}}, args[i+1:]...), at)
			return
		}
	}
}
