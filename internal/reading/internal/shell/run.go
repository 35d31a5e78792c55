package shell

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/parse"
	"github.com/agent-hooks/agent-hooks/internal/reading/internal/program"
)

// shellName is the name under which a shell is listed that no word names.
const shellName = "sh"

// CheckName checks the name of a shell that runs a text, and reports whether it
// accepts only the grammar of POSIX sh. The empty name means bash.
func CheckName(name string) (posix bool, err error) {
	switch shell := Program(name); {
	case name == "" || shell == "bash" || shell == "rbash" || shell == "zsh":
		return false, nil
	case program.IsShell(shell):
		return true, nil
	}
	return false, &Unreadable{fmt.Sprintf("the shell %q is not sh, bash or zsh", name)}
}

// run reads the further commands that a command runs.
func (r *Reader) run(words []word, line int, at site) {
	inner := site{inside: line, pipeline: at.pipeline, position: at.position, reads: at.reads, input: at.input, printed: at.printed, more: at.more, group: at.group}
	name, args := Program(words[0].text), words[1:]
	switch {
	case words[0].unknown && !words[0].named || words[0].glob || words[0].filled:
		r.note("the command word %s is not static", excerpt(words[0].text))
		r.arguments(args, inner)
		r.handOn("", args, inner)
		return
	}
	if text, ok := r.aliases[words[0].text]; ok {
		r.note("the command word %s is an alias", excerpt(words[0].text))
		r.alias(words[0].text, text, args, inner)
	}
	p, parsed, _ := program.Parse(given(words))
	switch {
	case p.Runs&program.Script != 0:
		r.shell(name, parsed, words, inner)
	case p.Runs&program.Foreign != 0:
		r.otherShell(name, args, inner)
	case slices.Contains(subscripts[:], name):
		r.checkSubscripts(name, args)
	}
	if r.functions[words[0].text] {
		r.parameters(args)
	}
	if r.inputRead && r.functions[words[0].text] {
		if r.cut && len(inner.input) > 0 {
			r.note("a function may read a part of the text that a shell in it runs")
		}
		r.runShell(nil, inner)
	}
	if words[0].text == "{" && len(args) > 0 { // of zsh's repeat
		if last := len(args) - 1; last > 0 && args[last].text == "}" {
			args = args[:last]
		}
		r.call(args, nil, inner)
	}
	r.assigns(name, args, inner.input)
	r.zshBuiltin(name, args, inner)
	r.builtin(name, args, inner)
	if strings.Contains(words[0].text, "/") {
		if sub, ok := strings.CutPrefix(name, "git-"); ok { // git's own programs: git-core/git-reset
			r.call(append([]word{{text: "git"}, {text: sub}}, args...), nil, inner)
		}
		if original := r.copies[path.Clean(words[0].text)]; original != "" && original != name {
			r.call(append([]word{{text: original}}, args...), nil, inner)
		}
		r.runContent(words[0], func(text word) {
			if line, _, _ := strings.Cut(text.text, "\n"); !strings.HasPrefix(line, "#!") || strings.HasSuffix(strings.TrimSpace(line), "sh") {
				r.system(text, inner)
			}
		})
	}
	if p.Is&program.Copies != 0 {
		r.moveContent(args)
	}
	if p.Runs&program.Fed != 0 {
		r.shellInput(name, inner, nil)
	}
	switch name { // what no other program does
	case "mkfifo", "mknod":
		r.pipes = true
	case "su", "runuser", "script", "sg":
		r.login(name, p, words, inner)
	case "git":
		r.gitAliases(args, inner)
	case "tmux":
		p, _ = program.Of(name)
		r.panes(words, inner)
	}
	if zsh, ok := strings.CutPrefix(words[0].text, "="); ok && zsh != "" { // zsh runs the program of that name
		r.call(append([]word{{text: zsh}}, args...), nil, inner)
	}
	r.escapes(name, args, inner)
	before := len(r.Commands)
	launched := r.launch(p, parsed, words, inner)
	if handsNothing(name) || launched && (!parsed.Unsure || slices.ContainsFunc(r.Commands[before:], func(c Command) bool {
		return len(c.Words) > 0 && program.IsShell(Program(c.Words[0]))
	})) {
		return
	}
	r.arguments(args, inner)
	if !launched && p.Runs&program.Script == 0 {
		r.handOn(words[0].text, args, inner)
	}
}

// runShell adds a shell that a program runs with arguments.
func (r *Reader) runShell(args []word, at site) {
	r.call(append([]word{{text: shellName}}, args...), nil, at)
}

// system reads a word as the text that a program hands to the shell of the system.
func (r *Reader) system(w word, at site) { r.static(shellName, w, at) }

// arguments reads a shell and its text in the arguments of any other program:
// docker exec x sh -c TEXT.
func (r *Reader) arguments(args []word, at site) {
	for i, a := range args {
		name := Program(a.text)
		rest := args[i+1:]
		p, _ := program.Of(name)
		isShell := p.Runs&program.Script != 0
		if a.unknown || !isShell && p.Runs&program.Foreign == 0 {
			continue
		}
		hasText := !isShell && takesText(a.text, rest) || isShell && (len(rest) > 1 && rest[0].unknown || len(rest) > 0 && len(rest[0].text) > 1 && strings.IndexByte("-+", rest[0].text[0]) >= 0)
		takesInput := isShell && len(rest) == 0 && len(at.input) > 0
		if hasText || takesInput {
			r.call(args[i:], nil, at)
			return
		}
	}
}

// builtin reads the texts that builtins of the shell run.
func (r *Reader) builtin(name string, args []word, at site) {
	inside := site{inside: at.inside}
	switch name {
	case "eval":
		r.eval(args, at)
	case "source", ".":
		if len(args) > 0 && args[0].text == "--" {
			args = args[1:]
		}
		if len(args) > 0 && mayBeInput(args[0], &at) {
			r.shellInput(name, at, r.text)
		}
		if len(args) > 0 {
			r.runContent(args[0], func(text word) { r.text(text.text, at) })
		}
		if len(args) > 0 && strings.HasPrefix(args[0].text, "<(") {
			r.unlist("%s runs the output of a command", name)
		}
	case "exec":
		if len(at.input) > 0 {
			r.shellInput(name, at, r.text)
		}
	case "trap":
		if len(args) > 0 && args[0].text == "--" {
			args = args[1:]
		}
		if len(args) > 0 && args[0].text != "-" {
			r.laterText(name, args[0], inside)
		}
	case "alias":
		for _, a := range args {
			if alias, value, ok := strings.Cut(a.text, "="); ok {
				if r.aliases == nil {
					r.aliases = map[string]word{}
				}
				r.aliases[alias] = word{text: value, unknown: a.unknown}
				r.laterText(name, word{text: value, unknown: a.unknown, glob: a.glob}, inside)
			}
		}
	case "mapfile", "readarray", "compgen", "complete":
		r.callback(name, args, inside)
	case "jobs":
		if i := slices.IndexFunc(args, func(a word) bool { return a.text == "-x" }); i >= 0 && i+1 < len(args) {
			r.call(args[i+1:], nil, at)
		}
	case "hash", "bind", "enable", "fc":
		if slices.ContainsFunc(args, func(a word) bool {
			return a.unknown || a.text[:min(1, len(a.text))] == "-" && strings.ContainsAny(a.text, "pxfse")
		}) {
			r.note("%s may change what a command word runs", name)
		}
	}
}

// alias reads an alias with the arguments after it.
func (r *Reader) alias(name string, text word, args []word, at site) {
	if slices.Contains(r.running, name) { // an alias is not expanded in its own text
		return
	}
	r.running = append(r.running, name)
	defer func() { r.running = r.running[:len(r.running)-1] }()
	words := slices.Clone(args)
	for i, w := range strings.Fields(text.text) {
		words = slices.Insert(words, i, word{text: w, unknown: text.unknown})
	}
	if len(words) > 0 {
		r.call(words, nil, at)
	}
}

// eval reads the text that eval runs in this shell. If it is only the output of
// commands, a shell that reads them is listed.
func (r *Reader) eval(args []word, at site) {
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	if len(args) == 1 && args[0].output && args[0].unknown && !at.more && r.runsOutput("eval", at) {
		return
	}
	r.text(r.textOf("eval", r.joined("eval", args, at)), at)
}

// runsOutput lists a shell that runs the output of the commands in the words of
// the command that it is in, and reports whether there are any.
func (r *Reader) runsOutput(name string, at site) bool {
	var outer []int
	first := at.inside
	for line := at.inside; line > 0; line = r.Commands[line-1].caller {
		outer, first = append(outer, line), line
	}
	at.reads = slices.Clone(at.reads)
	for n := first + 1; n <= len(r.Commands); n++ {
		if !slices.Contains(outer, n) {
			at.reads = append(at.reads, n)
		}
	}
	if len(at.reads) == 0 {
		return false
	}
	r.pipelines++
	at.pipeline, at.position, at.input = r.pipelines, 2, nil
	r.add(Command{Words: []string{shellName}, stands: true}, at)
	r.unlist("%s runs the output of a command", name)
	return true
}

// callback reads the text after -C, which a builtin runs, and after -W, which
// it expands.
func (r *Reader) callback(name string, args []word, at site) {
	for i, a := range args {
		if a.unknown || len(a.text) < 2 || a.text[0] != '-' {
			continue
		}
		option := strings.IndexAny(a.text, "CW")
		if option < 0 {
			continue
		}
		value := word{text: a.text[option+1:]}
		if value.text == "" && i+1 < len(args) {
			value = args[i+1]
		}
		if a.text[option] == 'C' {
			r.laterText(name, value, at)
		} else if value.unknown || parse.HasSubstitution(value.text) {
			r.note("%s expands %s", name, excerpt(value.text))
		}
	}
}

func excerpt(text string) string {
	const limit = 60
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "..."
	}
	return "`" + text + "`"
}

// static reads a word as the text of another process.
func (r *Reader) static(name string, w word, at site) {
	if w.unknown && w.output && !w.filled && !at.more && r.runsOutput(name, at) {
		return
	}
	text := r.textOf(name, w)
	dash, bash := r.dash, r.Bash
	r.dash = name != "bash" && name != "rbash" && name != "zsh"
	r.Bash = name != "zsh" && (bash || program.IsShell(name))
	r.child(func() { r.text(text, at) })
	r.dash, r.Bash = dash, bash
}

// laterText reads a word as text that this shell runs at an unknown time.
func (r *Reader) laterText(name string, w word, at site) {
	text := r.textOf(name, w)
	r.later(func() { r.text(text, at) })
}

// keepsPlain reports whether a text for a shell has the same commands if the
// shell expands what is unknown in it and plain.
func keepsPlain(text string) bool {
	if len(text) > maxValue || strings.ContainsAny(text, "'\\<") {
		return false
	}
	rest := text
	for _, name := range parse.Names(text) {
		rest = strings.ReplaceAll(strings.ReplaceAll(rest, "${"+name+"}", ""), "$"+name, "")
	}
	for _, name := range parse.Names(text) {
		if (strings.Contains(text, "$"+name) || strings.Contains(text, "${"+name)) && strings.Contains(rest, name) {
			return false // the text may assign it
		}
	}
	return true
}

// joined returns the words that a program joins to one shell text.
func (r *Reader) joined(name string, args []word, at site) word {
	if at.more {
		r.note("the text that %s runs comes from its input", name)
	}
	var all word
	var parts []string
	all.plain = true
	for _, a := range args {
		if a.line && !r.Bash {
			r.note("zsh does not divide the lines of a variable in the text that %s runs", name)
		}
		if len(parts) > 0 {
			all.pieces = append(all.pieces, Piece{Text: " "})
		}
		parts = append(parts, a.text)
		if a.filled && a.pieces == nil && !a.unknown {
			all.pieces = append(all.pieces, Piece{Text: a.text})
		} else if a.pieces != nil {
			all.pieces = append(all.pieces, a.pieces...)
		} else {
			all.pieces = append(all.pieces, a.parts()...)
		}
		all.plain = all.plain && (!a.unknown || a.plain)
		all.unknown, all.glob, all.filled = all.unknown || a.unknown, all.glob || a.glob, all.filled || a.filled
	}
	all.text = strings.Join(parts, " ")
	return all
}

// shell reads the text that a shell executes: after -c, or from its input.
func (r *Reader) shell(name string, parsed program.Args, words []word, at site) {
	text, input, fromInput := parsed.Any(program.First), true, parsed.Any(program.Input)
	args := words[len(words)-len(parsed.Operands):]
	values := map[int]bool{}
	for i := range parsed.Options {
		o := &parsed.Options[i]
		if o.Value > o.At {
			values[o.Value] = true
		}
		if o.Value >= 0 && (o.Name == "--rcfile" || o.Name == "--init-file") {
			r.script(name, words[o.Value:], at)
		}
	}
	for i := 1; i < len(words)-1 && i <= len(words)-len(args); i++ {
		if w := words[i]; (w.unknown || w.filled) && !values[i] && !strings.HasPrefix(w.text, "<(") && (w.splits || w.filled || !strings.Contains(w.text, "/")) {
			r.note("an option of %s may be in %s", name, excerpt(w.text))
		}
	}
	if r.script(name, args, at) {
		return
	}
	switch {
	case len(args) == 0 && (text || at.more):
		r.note("the text that %s runs comes from its input or is missing", name)
	case text:
		r.static(name, args[0], at)
		if args[0].divided && !r.Bash {
			r.static(name, r.joined(name, args, at), at)
		}
		input = false
	case len(args) > 0:
		input = mayBeInput(args[0], &at)
		r.runContent(args[0], func(text word) { r.static(name, text, at) })
	}
	if r.pipes && !text {
		r.unlist("%s may read its program from a pipe", name)
	}
	if input || fromInput {
		r.shellInput(name, at, nil)
	}
}

// mayBeInput reports whether the file that a shell runs may be its input, or may be
// missing, which means the same. An unknown file counts only if the text contains
// what the shell then runs: any other file is as unknown as the input.
func mayBeInput(file word, at *site) bool {
	if !file.unknown && !file.filled || file.named {
		return isInput(file.text)
	}
	if !file.splits && !at.printed {
		at.reads = nil
	}
	return true
}

// isInput reports whether a path may be that of an open file.
func isInput(file string) bool {
	file = path.Clean(file)
	return path.Base(file) == "stdin" || path.Base(path.Dir(file)) == "fd"
}

// script reports whether a script is the output of other commands.
func (r *Reader) script(name string, args []word, at site) bool {
	return len(args) > 0 && args[0].unknown && strings.HasPrefix(args[0].text, "<(") && r.runsOutput(name, at)
}

// shellInput reads the here-documents that a shell executes: this shell with
// read, another one without.
func (r *Reader) shellInput(name string, at site, read func(text string, at site)) {
	input := at.input
	at.input = nil
	r.checkInput(name, input, at)
	for line := at.inside; line > 0; line = r.Commands[line-1].caller {
		for _, redirect := range r.Commands[line-1].Redirects {
			if redirect.Op == "<" && !redirect.Unknown {
				r.runContent(word{text: redirect.Target}, func(text word) { r.static(name, text, at) })
			}
		}
	}
	for _, w := range input {
		if read == nil {
			r.static(name, w, at)
			continue
		}
		if w.unknown && w.output && r.runsOutput(name, at) {
			continue
		}
		read(r.textOf(name, w), at)
	}
}

// checkInput records a shell that reads a program from a pipe, and rejects one
// whose text another command may read in part.
func (r *Reader) checkInput(name string, input []word, at site) {
	if len(at.reads) > 0 && !at.printed {
		r.unlist("%s reads its program from a pipe", name)
	}
	ancestors := map[int]bool{}
	for n := at.inside; n > 0; n = r.Commands[n-1].Inside {
		ancestors[n] = true
	}
	reader := func(since int) bool {
		for n := since + 1; n <= len(r.Commands); n++ {
			words := r.Commands[n-1].Words
			if !ancestors[n] && len(words) > 0 && !prints(words[0]) {
				return true
			}
		}
		return false
	}
	if r.vars.later > 0 {
		r.inputRead, r.cut = true, r.cut || reader(r.body)
	}
	for _, w := range input {
		if reader(w.since) && !(w.unknown && w.output) {
			r.note("another command may read a part of the text that %s runs", name)
		}
	}
}

// hereDocument resolves the text of a here-document.
func (r *Reader) hereDocument(redirect *syntax.Redirect) word {
	literal := slices.ContainsFunc(redirect.Word.Parts, func(p syntax.WordPart) bool {
		lit, ok := p.(*syntax.Lit)
		return !ok || strings.Contains(lit.Value, "\\")
	})
	var w word
	add := func(p Piece) {
		w.pieces, w.unknown = append(w.pieces, p), w.unknown || p.Kind != Literal
	}
	for _, part := range redirect.Hdoc.Parts {
		lit, ok := part.(*syntax.Lit)
		switch {
		case ok && literal:
			add(Piece{Text: lit.Value})
		case r.altered[part]:
			add(Piece{Text: r.slice(part), Kind: Quoted})
		case ok:
			add(Piece{Text: parse.Unescaped(lit.Value, parse.InHereDocument)})
		default:
			if value, known := r.resolve(part); known {
				add(Piece{Text: value})
			} else {
				add(Piece{Text: r.slice(part), Kind: Quoted})
			}
		}
	}
	if redirect.Op == syntax.DashHdoc {
		for i, p := range w.pieces {
			lines := strings.Split(p.Text, "\n")
			for n := range lines {
				if p.Kind == Literal && (n > 0 || i == 0) {
					lines[n] = strings.TrimLeft(lines[n], "\t")
				}
			}
			w.pieces[i].Text = strings.Join(lines, "\n")
		}
	}
	for _, p := range w.pieces {
		w.text += p.Text
	}
	if !w.unknown {
		w.pieces = nil
	}
	return w
}

// takesText reports whether a word names a shell of another grammar that runs the
// text in its arguments: cmd is also the name of many a folder.
func takesText(word string, args []word) bool {
	if len(args) == 0 || strings.Contains(word, "/") && word[0] != '/' {
		return false
	}
	option := strings.ToLower(args[0].text)
	if Program(word) == "cmd" {
		return strings.HasPrefix(option, "/") || args[0].unknown
	}
	return args[0].unknown || strings.HasPrefix(option, "-")
}

// takesSlashes reports whether a shell is one of Windows, whose input is no program in a pipeline.
func takesSlashes(name string) bool { return name == "cmd" || name == "pwsh" || name == "powershell" }

// otherShell rejects text in a grammar that this package does not parse.
func (r *Reader) otherShell(name string, args []word, at site) {
	if len(args) == 0 && at.pipeline == 0 && len(at.input) == 0 && !at.more {
		return
	}
	if len(args) > 0 && !args[0].unknown && !strings.HasPrefix(args[0].text, "-") && !strings.HasPrefix(args[0].text, "/") {
		return // a script
	}
	r.note("%s is not a POSIX shell", name)
	var texts []string
	for _, a := range args {
		if !strings.HasPrefix(a.text, "-") && !strings.HasPrefix(a.text, "/") {
			texts = append(texts, a.text)
		}
	}
	r.scan(strings.Join(texts, " "), at)
	for _, w := range at.input {
		r.scan(w.text, at)
	}
}

// replaced reads a command in which a program replaces a text.
func (r *Reader) replaced(words []word, text string, at site) {
	words = slices.Clone(words)
	for i := range words {
		words[i].fill = text
		words[i].filled = words[i].filled || text != "" && strings.Contains(words[i].text, text) || text == "{}" && hasPlaceholder(words[i].text)
	}
	r.call(words, nil, at)
}

// login reads the shell that su, runuser and script run without the option of a command, and the text
// that sg runs in an operand.
func (r *Reader) login(name string, p *program.Program, words []word, at site) {
	own := *p
	own.Runs = 0
	parsed := own.Parse(given(words[1:]))
	var operands []word
	for _, i := range parsed.Operands {
		if w := words[i+1]; w.unknown && w.splits && name != "script" {
			r.note("an option of %s may be in %s", name, excerpt(w.text))
		} else {
			operands = append(operands, w)
		}
	}
	switch {
	case parsed.Any(program.Run):
	case name != "sg":
		if len(operands) > 0 && operands[0].text == "-" {
			operands = operands[1:]
		}
		if len(operands) == 0 || name == "script" {
			operands = []word{{}}
		}
		r.runShell(operands[1:], at)
	case len(operands) > 1:
		r.static(name, operands[1], at)
	}
}
