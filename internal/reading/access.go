package reading

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/program"
	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
)

const (
	read   = shell.Reads
	write  = shell.Writes
	remove = shell.Removes
	tree   = shell.RemovesTree
	change = read | write
)

// arg is a word of a command.
type arg struct {
	text   string
	pieces []shell.Piece
}

func (a *arg) known() bool { return len(a.pieces) == 1 && a.pieces[0].Kind == shell.Literal }

// from returns the word without its first n bytes, which are known.
func (a arg) from(n int) arg {
	first := a.pieces[0]
	rest := arg{text: a.text[n:]}
	first.Text = first.Text[n:]
	if first.Text != "" {
		rest.pieces = append(rest.pieces, first)
	}
	rest.pieces = append(rest.pieces, a.pieces[1:]...)
	return rest
}

// isOption reports whether a word begins with a hyphen.
func (a *arg) isOption() bool {
	return len(a.pieces) > 0 && a.pieces[0].Kind == shell.Literal && strings.HasPrefix(a.pieces[0].Text, "-") && a.text != "-"
}

// argsOf returns the words of a line.
func argsOf(l shell.Invocation) (args []arg) {
	for i, w := range l.Words {
		pieces := l.Pieces[i]
		if pieces == nil {
			pieces = []shell.Piece{{Text: w}}
		}
		args = append(args, arg{w, pieces})
	}
	return args
}

// operation is a path that a command uses, from one of its directories.
type operation struct {
	path []shell.Piece
	used shell.Use
	dirs [][]shell.Piece
	// below means that it is any path below that one, whose last part is name if there
	// is one.
	below bool
	name  []shell.Piece
	moved []shell.Piece // where the path is moved to; nil if it is not moved
	made  bool          // it is a file that the text writes anew
	odd   bool          // it is not plain (D125)
	// loaded means that it is only loaded, and not shown (D127).
	loaded bool
}

// operations collects what one command does.
type operations struct {
	all    []operation
	dirs   [][]shell.Piece
	prints bool // the text prints variables after the command
}

func (o *operations) add(a arg, used shell.Use) {
	if used != 0 && len(a.pieces) > 0 && !(a.known() && (a.text == "" || a.text == "-" || strings.Contains(a.text, "://"))) {
		o.all = append(o.all, operation{path: a.pieces, used: used, dirs: o.dirs})
	}
}

// here is the directory of a command.
func here() arg { return arg{".", []shell.Piece{{Text: "."}}} }

// wordsOf returns words as the parser of options reads them.
func wordsOf(args []arg) (all []program.Word) {
	for _, a := range args {
		w := program.Word{Text: a.text}
		if len(a.pieces) > 0 && a.pieces[0].Kind == shell.Literal {
			w.Known = min(len(a.pieces[0].Text), len(a.text))
		}
		all = append(all, w)
	}
	return all
}

// options adds the paths in the options of a command.
func (o *operations) options(p *program.Program, parsed *program.Args, args []arg) {
	shown := parsed.Any(program.Load) && shows(p, parsed, args)
	for i := range parsed.Options {
		given := &parsed.Options[i]
		if given.Value < 0 {
			continue
		}
		a := args[given.Value].from(given.From)
		if len(a.pieces) == 0 {
			continue
		}
		o.uri(a)
		before := len(o.all)
		switch does := given.Does; {
		case does&program.Read != 0 && does&program.Write != 0:
			o.add(a, change)
		case does&(program.Read|program.Load) != 0:
			o.add(a, read)
			o.joined(a, read)
			for i := range o.all[before:] {
				o.all[before+i].loaded = does&program.Load != 0 && !shown
			}
		case does&program.Write != 0:
			o.add(a, write)
			for i := range o.all[before:] {
				o.all[before+i].made = true
			}
		case does&program.Paths != 0:
			o.joined(a, change)
		case does&program.Into != 0:
			o.add(a, p.Operands&change|write)
		case does&program.Data != 0:
			if _, file, found := strings.Cut(strings.Replace(a.pieces[0].Text, "=<", "=@", 1), "@"); found && a.pieces[0].Kind == shell.Literal {
				file := a.from(len(a.pieces[0].Text) - len(file))
				o.add(file, read)
				o.joined(file, read)
			}
		case does == 0 && p.Runs&program.Language == 0:
			o.add(a, p.Operands&change)
			o.joined(a, p.Operands&change)
		}
	}
}

// shows reports whether what a command runs prints what an option loads (D127).
func shows(p *program.Program, parsed *program.Args, args []arg) bool {
	if parsed.Any(program.Code|program.First) || len(parsed.Starts) == 0 && p.Runs == 0 && printsConfig(parsed, args) {
		return true
	}
	for _, i := range parsed.Starts {
		if i >= len(args) || !args[i].known() {
			continue
		}
		run := args[i:]
		inner, words, _ := program.Parse(wordsOf(run))
		if inner.Is&program.Reveals != 0 || words.Any(program.Code|program.First) || len(words.Starts) > 0 && shows(inner, &words, run) {
			return true
		}
	}
	return false
}

// printsConfig reports whether a command is config, or view --raw, which print what an option loads.
func printsConfig(parsed *program.Args, args []arg) bool {
	raw := slices.ContainsFunc(parsed.Options, func(given program.Given) bool { return given.Name == "--raw" })
	at := slices.IndexFunc(parsed.Operands, func(i int) bool { return args[i].text == "config" })
	return at >= 0 && (raw || at == len(parsed.Operands)-1)
}

// uri adds the path of a URI of a file.
func (o *operations) uri(a arg) {
	if path, ok := pathOf(a.text); ok && a.known() {
		o.add(arg{path, []shell.Piece{{Text: path}}}, read)
	} else if ok && strings.HasPrefix(a.pieces[0].Text, "file://") {
		o.add(a.from(len("file://")), read)
	}
}

// joined adds the paths in a word that = : , ; or @ joins, such as DIR:/mnt,
// type=bind,src=DIR, HEAD:FILE and @FILE.
func (o *operations) joined(a arg, used shell.Use) {
	var path []shell.Piece
	joined := false
	flush := func(separator byte) {
		joined = true
		if separator != '=' { // the name of what follows
			o.add(arg{a.text, path}, used)
		}
		path = nil
	}
	for _, p := range a.pieces {
		for at := strings.IndexAny(p.Text, "=:,;@"); at >= 0 && p.Kind == shell.Literal; at = strings.IndexAny(p.Text, "=:,;@") {
			if at > 0 {
				path = append(path, shell.Piece{Text: p.Text[:at]})
			}
			flush(p.Text[at])
			p.Text = p.Text[at+1:]
		}
		if p.Text != "" {
			path = append(path, p)
		}
	}
	if joined {
		flush(0)
	}
}

// use adds the operands of a command by its row.
func (o *operations) use(p *program.Program, parsed *program.Args, operands []arg) {
	if isIdle(p, parsed) {
		return
	}
	all, last := p.Operands, p.Last
	if parsed.Any(program.Trees) {
		all |= remove | tree
	}
	if parsed.Any(program.Edits) {
		all |= write
	}
	if parsed.Any(program.Links) {
		all = 0
	}
	if parsed.Any(program.Write) {
		last = 0
	}
	for i, a := range operands {
		used := all
		if i > 0 && i == len(operands)-1 && last != 0 {
			used = last
		}
		if used&remove != 0 && isEverything(a.pieces) && !(p.Operands == read|remove && isBelow(operands[len(operands)-1])) {
			used |= tree
		}
		before := len(o.all)
		o.add(a, used)
		if all&read != 0 {
			o.joined(a, used&all&change)
		}
		if p.Operands == read|remove && len(o.all) > before && len(operands) > 1 && last != 0 {
			o.all[before].moved = operands[len(operands)-1].pieces
		}
	}
}

// isBelow reports whether a word is a path below the directory of the command: what is moved there is not
// lost.
func isBelow(a arg) bool {
	return a.known() && a.text != "" && !strings.ContainsAny(a.text[:1], "/~-") && !slices.Contains(strings.Split(a.text, "/"), "..")
}

// isIdle reports whether a command uses nothing with some options. It may use something if one takes
// another back.
func isIdle(p *program.Program, parsed *program.Args) bool {
	if p.Has(program.Shows) && !parsed.Any(program.Shows) {
		return true
	}
	return parsed.Any(program.Idle) && !slices.ContainsFunc(parsed.Options, func(given program.Given) bool {
		return strings.HasPrefix(given.Name, "--no-")
	})
}

// isEverything reports whether the last part of a path is only a wildcard.
func isEverything(path []shell.Piece) bool {
	stars := 0
	for i := len(path) - 1; i >= 0; i-- {
		p := path[i]
		if p.Kind == shell.Literal {
			rest := strings.TrimRight(p.Text, "/")
			return stars > 0 && (strings.HasSuffix(p.Text, "/") || rest == "." || strings.HasSuffix(rest, "/."))
		}
		if strings.Trim(p.Text, "*") != "" {
			return false
		}
		stars++
	}
	return stars > 0
}

// command adds what a command does. args begin with its program.
func (o *operations) command(args []arg) {
	name := strings.TrimSuffix(shell.Program(args[0].text), ".cmd")
	words := wordsOf(args)
	if !args[0].known() {
		name = "?"
	} else if args[0].isOption() {
		return // a line that a backslash should have continued
	}
	words[0] = program.Literal(name)
	p, parsed, listed := program.Parse(words)
	if !listed && onlyReads(args) {
		p = &program.Program{Operands: read, Is: p.Is}
	}
	parsed.Each(program.Enter, func(given *program.Given) { o.enter(args[given.Value].from(given.From).pieces) })
	o.options(p, &parsed, args)
	operands := o.operands(p, &parsed, args)
	switch {
	case p.Has(program.Deletes):
		if parsed.Any(program.Deletes) {
			o.find(args[1:])
		}
		return
	case p.Runs&program.Language != 0:
		o.interpreter(&parsed, args)
		return
	case p.Is&program.Here != 0 && len(operands) == 0:
		before := len(o.all)
		o.use(p, &parsed, []arg{here()})
		for i := range o.all[before:] {
			o.all[before+i].below = true
		}
	case len(operands) > 1 && parsed.Any(program.Mirror):
		o.all = append(o.all, operation{path: operands[len(operands)-1].pieces, used: remove | tree, dirs: o.dirs, below: true})
	case parsed.Any(program.Fetches), p.Is&program.Downloads != 0 && !parsed.Any(program.Instead):
		o.add(here(), write)
	case name == "chmod" && len(args) > 1 && slices.Contains([]string{"+x", "a+x", "u+x", "ug+x", "+X"}, args[1].text):
		return // it changes nothing in a file
	case parsed.Any(program.First):
		return
	case p.Runs&(program.Script|program.Foreign) != 0:
		operands = operands[:min(1, len(operands))]
	}
	before := len(o.all)
	o.use(p, &parsed, operands)
	for i := before; i < len(o.all) && parsed.Any(program.Load) && slices.ContainsFunc(args, func(a arg) bool { return a.text == "inplace" }); i++ {
		o.all[i].used |= write // awk -i inplace
	}
	o.written(p, &parsed, args)
	for i := before; i < len(o.all) && p.Is&program.Loads != 0; i++ {
		o.all[i].loaded = !o.prints
	}
	for i := before; i < len(o.all) && p.Has(program.Keeps) && !parsed.Any(program.Keeps); i++ {
		o.all[i].made = o.all[i].used == write
	}
}

// written adds the files that a literal text of sed writes: w FILE.
func (o *operations) written(p *program.Program, parsed *program.Args, args []arg) {
	if p.Text == 0 || p.Is&program.Sed == 0 {
		return
	}
	for _, a := range args[1:] {
		if !a.known() || p.IsQuiet(a.text) {
			continue
		}
		for line := range strings.Lines(a.text) {
			if at := strings.LastIndex(line, "w "); at >= 0 {
				file := strings.TrimSpace(line[at+len("w "):])
				o.add(arg{file, []shell.Piece{{Text: file}}}, write)
			}
		}
	}
}

// verbs are subcommands that say that a program reads.
var verbs = [...]string{"check", "list", "ls", "show", "get", "status", "diff", "lint", "verify", "inspect", "describe", "cat", "view", "log"}

// onlyReads reports whether a program in no row says that it reads: one of its first two words is a verb
// of reading, and no option says that it writes.
func onlyReads(args []arg) bool {
	verb := slices.ContainsFunc(args[1:min(3, len(args))], func(a arg) bool { return a.known() && slices.Contains(verbs[:], a.text) })
	return verb && !slices.ContainsFunc(args, func(a arg) bool {
		option := a.isOption()
		return option && slices.ContainsFunc([]string{"fix", "write", "out", "-o", "-i", "apply", "save", "update", "in-place", "delete", "remove"}, func(word string) bool { return strings.Contains(a.text, word) })
	})
}

// operands returns the operands of a command that may be paths, and adds the paths of URIs in all.
func (o *operations) operands(p *program.Program, parsed *program.Args, args []arg) (all []arg) {
	for _, i := range parsed.Operands {
		all = append(all, args[i])
		if p.Is&program.Prose == 0 {
			o.uri(args[i])
		}
	}
	for _, i := range parsed.Starts[max(0, len(parsed.Starts)-1):] { // without a command that was read
		for _, a := range args[min(i, len(args)):] {
			if !a.isOption() {
				all = append(all, a)
			}
		}
	}
	if parsed.Any(program.Instead) {
		return all
	}
	return all[min(p.Text, len(all)):]
}

// enter changes the directories of a command.
func (o *operations) enter(dir []shell.Piece) {
	var dirs [][]shell.Piece
	for _, d := range o.dirs {
		dirs = append(dirs, shell.Below(d, dir))
	}
	o.dirs = dirs
}

// find adds what find does itself.
func (o *operations) find(args []arg) {
	if !slices.ContainsFunc(args, func(a arg) bool { return a.text == "-delete" && a.known() }) {
		return
	}
	empty := slices.ContainsFunc(args, func(a arg) bool { return a.text == "-empty" && a.known() }) && !slices.ContainsFunc(args, func(a arg) bool { return a.text == "!" || a.text == "-not" || a.text == "-o" || a.text == "-or" })
	found, named := o.found(args)
	for _, f := range found {
		f.used = remove
		if !named && !empty {
			f.used |= tree
		}
		o.all = append(o.all, f)
	}
}

// found returns the paths that find hands on: below its roots, with the names of -name
// if each alternative has one.
func (o *operations) found(args []arg) (all []operation, named bool) {
	for len(args) > 0 && (args[0].text == "-H" || args[0].text == "-L" || args[0].text == "-P") {
		args = args[1:]
	}
	expression := slices.IndexFunc(args, func(a arg) bool {
		return a.isOption() || a.known() && (a.text == "(" || a.text == "!" || a.text == ")")
	})
	if expression < 0 {
		expression = len(args)
	}
	roots := args[:expression]
	if len(roots) == 0 {
		roots = []arg{here()}
	}
	names, named := namesIn(args[expression:])
	if !named {
		names = [][]shell.Piece{nil}
	}
	for _, root := range roots {
		for _, name := range names {
			itself := operation{path: root.pieces, dirs: o.dirs}
			if name != nil {
				itself.path = slices.Concat(root.pieces, []shell.Piece{{Text: "/"}}, name)
			}
			all = append(all, itself, operation{path: root.pieces, dirs: o.dirs, below: true, name: name})
		}
	}
	return all, named
}

// namesIn returns the globs after -name in an expression of find, if each of its
// alternatives has one before what it does.
func namesIn(args []arg) (names [][]shell.Piece, ok bool) {
	named := false
	for i := 0; i < len(args); i++ {
		switch args[i].text {
		case ",":
			return nil, false
		case "!", "-not": // a test alone only restricts
			if i+2 >= len(args) || !slices.Contains([]string{"-name", "-iname", "-path", "-ipath", "-type"}, args[i+1].text) {
				return nil, false
			}
			i += 2
		case "-o", "-or", "-delete":
			if !named {
				return nil, false
			}
			named = args[i].text == "-delete"
		case "-exec", "-execdir", "-ok", "-okdir":
			if !named {
				return nil, false
			}
			for i < len(args) && args[i].text != ";" && args[i].text != "+" {
				i++
			}
		case "-name", "-iname":
			if i+1 == len(args) || !args[i+1].known() || strings.ContainsAny(args[i+1].text, `/\`) {
				return nil, false
			}
			i++
			names, named = append(names, globOf(args[i].text)), true
		}
	}
	return names, named
}

// globOf returns the parts of a glob in a quoted word.
func globOf(text string) (pieces []shell.Piece) {
	for text != "" {
		at := strings.IndexAny(text, "*?[")
		if at < 0 {
			return append(pieces, shell.Piece{Text: text})
		}
		if at > 0 {
			pieces = append(pieces, shell.Piece{Text: text[:at]})
		}
		end := at + 1
		if text[at] == '[' {
			end = len(text)
		}
		pieces = append(pieces, shell.Piece{Text: text[at:end], Kind: shell.Glob})
		text = text[end:]
	}
	return pieces
}

// interpreter adds what an interpreter does: its options give a program, or the name of a module.
func (o *operations) interpreter(parsed *program.Args, args []arg) {
	script := false
	parsed.Each(program.Code, func(given *program.Given) {
		o.program(args[given.Value].text[given.From:])
		script = true
	})
	rest := parsed.Operands
	for i := range parsed.Options {
		given := &parsed.Options[i]
		if given.Does&program.Module == 0 || given.Value < 0 || script {
			continue
		}
		module := args[given.Value:]
		if _, listed := program.Of(module[0].text); listed {
			o.command(module)
			return
		}
		for i := range module {
			rest = append(rest, given.Value+i)
		}
	}
	for _, i := range rest {
		switch {
		case args[i].isOption(), script && args[i-1].isOption():
		case !script:
			o.add(args[i], read)
			script = true
		default:
			o.add(args[i], change)
		}
	}
}

// program adds the paths in the string literals of a program.
func (o *operations) program(text string) {
	used := usedBy(text)
	literals := literalsOf(text)
	for _, l := range literals {
		switch {
		case l.known:
			o.add(arg{l.text, []shell.Piece{{Text: l.text}}}, l.used)
		case used&tree != 0, strings.ContainsAny(l.text, "./~") && strings.Trim(l.text, "./") != "":
			o.add(arg{l.text, []shell.Piece{{Text: l.text}}}, used)
		}
	}
	if used&tree != 0 && len(literals) == 0 {
		o.add(arg{text, []shell.Piece{{Text: "…", Kind: shell.Quoted}}}, used)
	}
}

// Parts of the names of functions that write, remove, and remove trees, and the modes of opening a file
// to write it.
var (
	writing      = [...]string{"write", "Write", "appendFile", "chmod", "chown", "truncate", "touch(", "link(", "'w", `"w`, "'a'", `"a"`, "'ab", `"ab`, "'x'", `"x"`, "r+", "'>", `">`}
	removing     = [...]string{"remove", "unlink", "rmtree", "rmdir", "rm(", "rm_", "rmSync", "delete", "rename", "move", "replace("}
	removingTree = [...]string{"rmtree", "rm_r", "remove_tree"}
)

// usedBy returns what a program may do with the paths that its literals name: it only reads them unless
// it has a call that writes or removes.
func usedBy(program string) shell.Use {
	has := func(words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(program, word) })
	}
	used := read
	if has(writing[:]) {
		used |= write
	}
	if has(removing[:]) {
		used |= write | remove
	}
	if has(removingTree[:]) && !removesTemporary(program) ||
		strings.Contains(program, "recursive") && (has([]string{"rm(", "rmSync", "rmdir", "remove"})) {
		used |= tree
	}
	return used
}

// removesTemporary reports whether a program removes only trees that it has made for temporary files:
// shutil.rmtree(tempfile.mkdtemp()), or of a variable with nothing else.
func removesTemporary(program string) bool {
	const call = "rmtree("
	if strings.Contains(program, "rm_r") || strings.Contains(program, "remove_tree") || strings.Count(program, "rmtree") != strings.Count(program, call) {
		return false
	}
	for rest := program; ; {
		_, after, found := strings.Cut(rest, call)
		if !found {
			return true
		}
		rest = after
		argument := strings.TrimSpace(after[:min(len(after), max(0, strings.IndexAny(after, ",)\n")))])
		if isMade(argument) {
			continue
		}
		if strings.TrimFunc(argument, isNamePart) != "" || argument == "" {
			return false
		}
		made := false
		for i, value := range strings.Split(strings.ReplaceAll(program, argument+" =", argument+"="), argument+"=") {
			if i > 0 && !isMade(strings.TrimSpace(value)) {
				return false
			}
			made = made || i > 0
		}
		if !made {
			return false
		}
	}
}

// isMade reports whether an expression begins with a call that makes a temporary directory.
func isMade(expression string) bool {
	expression = strings.TrimPrefix(strings.TrimPrefix(expression, "pathlib."), "Path(")
	return strings.HasPrefix(strings.TrimPrefix(expression, "tempfile."), "mkdtemp(")
}

func isNamePart(c rune) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// literal is a string literal of a program. known means that the program's only use of
// the file of that name is used.
type literal struct {
	text  string
	used  shell.Use
	known bool
}

// maxLiterals limits the string literals of one program.
const maxLiterals = 200

// literalsOf returns the string literals of a program that have no white space.
func literalsOf(program string) (literals []literal) {
	copies := false // the literal before is the first argument of a function that copies
	for len(literals) < maxLiterals {
		at := strings.IndexAny(program, "'\"`")
		if at < 0 {
			return literals
		}
		end := strings.IndexByte(program[at+1:], program[at])
		if end < 0 {
			return literals
		}
		before, l, after := strings.TrimRight(program[:at], " "), literal{text: program[at+1 : at+1+end]}, program[at+end+2:]
		ends := func(calls ...string) bool {
			return slices.ContainsFunc(calls, func(call string) bool { return strings.HasSuffix(before, call) })
		}
		switch second := copies && strings.TrimSpace(before) == ","; {
		case second:
			l.used, l.known = write, true
		case ends("exists(", "existsSync("):
			l.known = true
		case ends("require(", "import(", "import", "from", "readFile(", "readFileSync("), ends("open(") && strings.HasPrefix(after, ")"):
			l.used, l.known = read, true
		}
		copies = ends("copy(", "copyfile(", "copyFile(", "copyFileSync(")
		if copies {
			l.used, l.known = read, true
		}
		l.text = strings.TrimLeft(l.text, "<>+") // of open in Perl
		if l.text != "" && !strings.ContainsAny(l.text, " \t\n,;()<>|") {
			literals = append(literals, l)
		}
		program = after
	}
	return literals
}
