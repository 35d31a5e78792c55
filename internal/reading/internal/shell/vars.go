package shell

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/parse"
)

// Limits above which a variable or a loop counts as undetermined.
const (
	maxValue = 64 << 10 // bytes of one value
	maxVars  = 100
	maxTurns = 200 // of all loops together
	maxAgain = 100 // how often loops are read again
)

// variables are what the text determines about the variables of one shell.
type variables struct {
	known    map[string]string // the values at this point of the text
	touched  map[string]bool   // assigned since the innermost loop or pipeline began
	tainted  map[string]bool   // assigned by code that runs later, or with attributes
	assigned map[string]bool   // assigned so far, other than for one program
	opaque   bool              // nothing is determined: a file was sourced, for example
	lost     bool              // an error may have skipped the rest of a line, so assignments are not followed
	split    bool              // IFS was changed
	later    int               // more than 0 inside functions and traps
	fixed    map[string]bool   // assigned once in the text, whatever happens (D123)
	depth    int               // of the text of the shell
	nested   int               // more than 0 where a command may not run, or not in this shell
}

func newVariables(known map[string]string) variables {
	v := variables{known: map[string]string{"IFS": " \t\n"}, touched: map[string]bool{}, tainted: map[string]bool{}, assigned: map[string]bool{}, fixed: map[string]bool{}, depth: 1}
	maps.Copy(v.known, known)
	return v
}

// value returns the value of a variable if the text determines it.
func (v *variables) value(name string) (string, bool) {
	if !v.isFollowed(name) {
		return "", false
	}
	value, ok := v.known[name]
	return value, ok && !strings.HasPrefix(value, plainValue)
}

// isFollowed reports whether a known value of a variable is its value here.
func (v *variables) isFollowed(name string) bool {
	return !v.opaque && !v.tainted[name] && (v.later == 0 || v.fixed[name])
}

// plainValue stands for an unknown value without characters that a shell treats
// in a special way, such as the number of a process.
const plainValue = "\x00"

// isPlain reports whether the value of an expansion, if it is unknown, has no
// such characters.
func (r *Reader) isPlain(part syntax.WordPart) bool {
	if name, ok := parse.Variable(part); ok {
		if v := &r.vars; v.isFollowed(name) && (v.known[name] == plainValue || strings.HasPrefix(v.known[name], partlyPlain)) {
			return true
		}
		switch name {
		case "!", "$", "?", "#":
			return true
		case "HOME", "UID", "EUID", "PPID": // of the account and the system, unless the text sets them
			return !r.vars.opaque && !r.vars.assigned[name] && !r.dark
		}
		return false
	}
	words := r.substituted(part)
	if len(words) == 0 || r.vars.assigned["TMPDIR"] || r.vars.assigned["PATH"] {
		return false
	}
	line := strings.Join(words, " ")
	return words[0] == "mktemp" && isPlainText(line) || line == "nproc" || line == "id -u" || line == "id -g" || line == "date +%s" || line == "uname -m" || line == "uname -s"
}

// isPlainWord reports whether an assigned value is not empty and plain, with
// what is known in it.
func (r *Reader) isPlainWord(parts []syntax.WordPart) bool {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if !isPlainText(p.Value) || strings.Contains(p.Value, " ") {
				return false
			}
		case *syntax.DblQuoted:
			if p.Dollar || !r.isPlainWord(p.Parts) {
				return false
			}
		default:
			if !r.isPlain(part) {
				return false
			}
		}
	}
	return len(parts) > 0
}

// isPlainText reports whether a text consists of letters, digits, spaces and
// _ . / % + -.
func isPlainText(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool {
		return c >= utf8.RuneSelf || !parse.IsNameByte(byte(c)) && !strings.ContainsRune(" ./%+-", c)
	})
}

// isDirectory reports whether an expansion is the output of a command that
// prints the directory of programs: one word, in practice.
func (r *Reader) isDirectory(part syntax.WordPart) bool {
	for name := range r.vars.assigned { // it may change what the command prints
		if name != "PWD" && name != "OLDPWD" {
			return false
		}
	}
	switch strings.Join(r.substituted(part), " ") {
	case "go env GOPATH", "go env GOBIN", "npm bin", "npm prefix -g", "yarn bin", "yarn global bin", "pnpm bin", "brew --prefix":
		return true
	}
	return false
}

// substituted returns the words of a command substitution that has one command
// of literal words, and nil for any other expansion.
func (r *Reader) substituted(part syntax.WordPart) (words []string) {
	c := parse.Only(part)
	if c == nil || r.vars.opaque {
		return nil
	}
	for _, arg := range c.Args {
		text := arg.Lit()
		if text == "" || strings.ContainsAny(text, "\\*?[{~") {
			return nil
		}
		words = append(words, text)
	}
	if len(words) == 0 || r.functions[words[0]] || len(r.functions) > 0 && r.vars.later > 0 || r.isAlias(words[0]) {
		return nil
	}
	return words
}

// forget records that a variable may have any value from now on.
func (v *variables) forget(name string) {
	v.assigned[name] = true
	delete(v.known, name)
	v.touched[name] = true
	if v.later > 0 {
		v.tainted[name] = true
	}
	v.split = v.split || name == "IFS"
}

// maxValues limits the values that a text gives a variable, and the paths with them.
const maxValues = 200

// mayBe records a value that the text gives a variable at some point, in whatever way.
func (r *Reader) mayBe(name string, value word) {
	if r.possible == nil {
		r.possible = map[string][][]Piece{}
	}
	pieces := value.parts()
	if value.text == "" {
		pieces = nil
	}
	if len(r.possible[name]) <= maxValues && !slices.ContainsFunc(r.possible[name], func(v []Piece) bool { return slices.Equal(v, pieces) }) {
		r.possible[name] = append(r.possible[name], pieces)
	}
}

// setElsewhere records that a variable may have a value that the text does not give it.
func (r *Reader) setElsewhere(name string) {
	if r.elsewhere == nil {
		r.elsewhere = map[string]bool{}
	}
	r.elsewhere[name] = true
}

// With returns a path with the values that the text gives the variables in it, whose
// values at this point are unknown: any of them may be the value, or another. complete is
// false if there are too many. made means that the path is what mktemp made for the text, or
// empty.
func (r *Reader) With(path []Piece) (all [][]Piece, complete, made bool) {
	r.with(path, nil, &all)
	if len(path) == 1 && path[0].Kind != Literal {
		name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(path[0].Text, "$"), "{"), "}")
		made = len(all) > 0 && !r.vars.opaque && !r.elsewhere[name] && r.onlyMade(name)
		for _, value := range r.possible[name] {
			made = made && (len(value) == 0 || value[0].Is == Temporary)
		}
	}
	return all, len(all) <= maxValues, made
}

// onlyMade reports whether the text has a variable's name only where it expands it, and where it
// assigns nothing or what mktemp prints, and runs nothing else that may assign it: a value may be
// given in more ways than are followed.
func (r *Reader) onlyMade(name string) bool {
	for _, word := range [...]string{"eval", "source", ". ", "alias", "hash"} {
		if strings.Contains(r.whole, word) {
			return false
		}
	}
	for _, c := range r.Commands {
		if slices.ContainsFunc(c.Words, func(w string) bool {
			value, assigned := strings.CutPrefix(w, name+"=")
			return w == name || strings.HasPrefix(w, name+"[") || assigned && value != "" && !beginsMade(value)
		}) {
			return false
		}
	}
	rest, mktemps := r.whole, 0
	for before := byte(' '); ; {
		at := strings.Index(rest, name)
		if at < 0 {
			break
		}
		if at > 0 {
			before = rest[at-1]
		}
		braced := before == '{' && at > 1 && rest[at-2] == '$'
		rest = rest[at+len(name):]
		switch {
		case parse.IsNameByte(before) || rest != "" && parse.IsNameByte(rest[0]): // of another name
		case before == '$', braced && strings.HasPrefix(rest, "}"):
		case !strings.HasPrefix(rest, "="), before != ' ' && before != '\n' && before != ';' && before != '\t':
			return false
		case beginsMade(rest[1:]):
			mktemps++
		case !strings.HasPrefix(rest, "=;") && !strings.HasPrefix(rest, "=\n") && !strings.HasPrefix(rest, "= "):
			return false
		}
		before = name[len(name)-1]
	}
	return mktemps > 0
}

// beginsMade reports whether a value begins with what mktemp prints.
func beginsMade(value string) bool {
	value = strings.TrimPrefix(value, `"`)
	return strings.HasPrefix(value, "$(mktemp") || strings.HasPrefix(value, "`mktemp")
}

func (r *Reader) with(path []Piece, done []string, all *[][]Piece) {
	for i, p := range path {
		name := strings.TrimLeft(p.Text, "${")
		if end := strings.IndexFunc(name, func(c rune) bool { return len(parse.Names(string(c))) == 0 }); end >= 0 {
			name = name[:end]
		}
		if p.Kind == Literal || !strings.HasPrefix(p.Text, "$") || slices.Contains(done, name) || r.possible[name] == nil {
			continue
		}
		for _, value := range r.possible[name] {
			if len(*all) <= maxValues {
				r.with(slices.Concat(path[:i], value, path[i+1:]), append(slices.Clip(done), name), all)
			}
		}
		return
	}
	if len(done) > 0 && len(path) > 0 {
		*all = append(*all, path)
	}
}

// set records an assignment of a value that the text determines.
func (v *variables) set(name, value string) {
	v.forget(name)
	if !v.lost && v.later == 0 && len(value) <= maxValue && len(v.known) < maxVars {
		v.known[name] = value
	}
}

// taint records that the value of a variable is never determined.
func (v *variables) taint(name string) {
	v.forget(name)
	v.tainted[name] = true
}

// forgetAll records that every variable may have any value from now on.
func (v *variables) forgetAll() { v.opaque = true }

// keep removes the variables whose values differ in other.
func (v *variables) keep(other map[string]string) {
	maps.DeleteFunc(v.known, func(name, value string) bool {
		again, ok := other[name]
		return !ok || again != value
	})
}

// subshell reads commands whose assignments have no effect on this shell.
func (r *Reader) subshell(read func()) {
	known := maps.Clone(r.vars.known)
	r.vars.nested++
	r.where.isolated(read)
	r.vars.nested--
	r.vars.known = known
}

// child reads commands of another process, which inherits no variables that
// matter here.
func (r *Reader) child(read func()) {
	outer := r.vars
	r.vars = newVariables(nil)
	r.vars.opaque, r.vars.depth = r.dark, r.depth+1
	r.where.isolated(func() {
		r.where.errexit, r.where.tested = false, 0
		read()
	})
	r.vars = outer
}

// later reads commands that run at an unknown time, such as a function's.
func (r *Reader) later(read func()) {
	known := r.vars.known
	r.vars.known = maps.Clone(known)
	maps.DeleteFunc(r.vars.known, func(name, _ string) bool { return !r.vars.fixed[name] })
	r.vars.later++
	r.where.isolated(func() {
		if mayMove(r.source) {
			r.where.here = []place{anywhere}
		}
		read()
	})
	r.vars.later--
	r.vars.known = known
}

// branches reads commands of which one alternative is executed. It is empty if
// none may be.
func (r *Reader) branches(alternatives ...func()) {
	before := maps.Clone(r.vars.known)
	var after []map[string]string
	r.vars.nested++
	defer func() { r.vars.nested-- }()
	for _, read := range alternatives {
		r.vars.known = maps.Clone(before)
		read()
		after = append(after, r.vars.known)
	}
	for _, known := range after {
		r.vars.keep(known)
	}
}

// loop reads commands that may run any number of times. It reads them again
// while they change what was determined before them.
func (r *Reader) loop(read func(again func())) {
	r.loops++
	r.vars.nested++
	defer func() {
		r.loops--
		r.vars.nested--
	}()
	start := maps.Clone(r.vars.known)
	for ; r.again < maxAgain; r.again++ {
		lines, pipelines, before := len(r.Commands), r.pipelines, r.vars
		r.vars.known, r.vars.touched = maps.Clone(start), map[string]bool{}
		tainted, opaque := len(before.tainted), before.opaque
		read(func() { r.vars.known = maps.Clone(start) })
		changed := opaque != r.vars.opaque || tainted != len(r.vars.tainted)
		for name := range r.vars.touched {
			if _, ok := start[name]; ok {
				changed = true
				delete(start, name)
			}
			before.touched[name] = true
		}
		r.vars.touched, r.vars.known = before.touched, start
		if !changed {
			return
		}
		r.Commands, r.pipelines = r.Commands[:lines], pipelines
	}
	panic(exhausted{})
}

// assign reads the effect of NAME=value without a command, or before one. It is
// onlyFor that command if this is a program.
func (r *Reader) assign(a *syntax.Assign, command, onlyFor bool) {
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	r.checkZshAssignment(a)
	w := word{unknown: true}
	if a.Value != nil {
		w = r.value(a.Value)
	} else if a.Array == nil {
		w.unknown = false
	}
	r.checkAssignment(name, w)
	r.mayBe(name, w)
	if a.Array != nil {
		for _, e := range a.Array.Elems {
			r.mayBe(name, r.value(e.Value))
		}
	}
	switch {
	case a.Index != nil || a.Array != nil:
		r.vars.taint(name)
	case w.unknown && !command && !a.Append && a.Value != nil && r.setPartly(name, a.Value.Parts):
		r.fix(name)
	case a.Append && !command && !w.unknown:
		before, ok := r.vars.value(name)
		r.vars.forget(name)
		if ok && !r.dash { // to dash, NAME+= is a program's name
			r.vars.set(name, before+w.text)
		}
	case command || a.Append || w.unknown:
		was := r.vars.assigned[name]
		r.vars.forget(name)
		if command && !was && onlyFor {
			delete(r.vars.assigned, name)
		}
	default:
		r.vars.set(name, w.text)
		r.fix(name)
	}
}

// fix records that an assignment is the only one in the text of the shell, and that nothing else may
// write the variable, so that it has its value in traps and functions, too (D123).
func (r *Reader) fix(name string) {
	v := &r.vars
	if v.nested == 0 && v.later == 0 && r.depth == v.depth && parse.IsWrittenOnce(r.source, name) {
		v.fixed[name] = true
	}
}

// assigns reads the effect of a builtin that may assign to its arguments.
func (r *Reader) assigns(name string, args, input []word) {
	switch {
	case slices.Contains(assigners[:], name):
	case name == "set":
		r.parameters(parameters(args))
		return
	case name == "cd" || name == "pushd" || name == "popd":
		r.vars.forget("PWD")
		r.vars.forget("OLDPWD")
		return
	case name == "source" || name == "." || name == "shopt" || name == "enable":
		r.vars.forgetAll()
		return
	default:
		return
	}
	if name == "printf" || name == "wait" {
		if len(args) == 0 || !args[0].unknown && !strings.HasPrefix(args[0].text, "-") {
			return
		}
	}
	for _, a := range []string{"REPLY", "MAPFILE", "OPTARG", "OPTIND"} {
		r.vars.forget(a)
	}
	declares := slices.Contains(declarations[:], name)
	r.vars.lost = r.vars.lost || name == "readonly" || name == "let"
	if name == "printf" && len(args) > 2 { // -v NAME
		for _, value := range args[2:] {
			r.mayBe(args[1].text, value)
		}
	}
	if len(input) > 0 && len(args) > maxVars {
		r.note("%s reads more than %d variables", name, maxVars)
	}
	for _, text := range input {
		for value := range strings.FieldsSeq(text.text) {
			for _, a := range append([]word{{text: "REPLY"}, {text: "MAPFILE"}}, args...) {
				r.mayBe(a.text, word{text: value, unknown: text.unknown && strings.ContainsAny(value, "$`")})
			}
		}
	}
	for _, a := range args {
		option := strings.HasPrefix(a.text, "-") || strings.HasPrefix(a.text, "+")
		if !declares && option && len(a.text) > 2 { // printf -vX, read -aX
			r.vars.forget(a.text[2:])
			r.setElsewhere(a.text[2:])
		}
		r.vars.lost = r.vars.lost || declares && option // read-only, or an integer
		switch {
		case a.unknown && !(declares && a.plain && hasName(a.text)) || a.glob || a.filled || declares && option && strings.Contains(a.text, "n"):
			r.vars.forgetAll()
		case option && name == "export" && strings.Contains(a.text, "f"):
			r.dark = true
			r.vars.forgetAll()
		}
		for _, n := range parse.Names(a.text) {
			if declares {
				r.vars.taint(n)
			} else {
				r.vars.forget(n)
				r.setElsewhere(n)
			}
		}
		if n, value, ok := strings.Cut(a.text, "="); ok {
			r.checkAssignment(n, word{text: value, unknown: a.unknown})
		}
	}
}

// parameters records the positional parameters that set or a call of a function gives.
func (r *Reader) parameters(args []word) {
	for _, a := range args {
		for _, parameter := range []string{"", "1", "2", "3", "4", "5", "6", "7", "8", "9"} { // "" is @ and *
			r.mayBe(parameter, a)
		}
	}
}

// IsFunction reports whether the text defines a function of a name.
func (r *Reader) IsFunction(name string) bool { return r.functions[name] }

// parameters returns the arguments of set that are no options, nor their values: the
// positional parameters, or the elements of zsh's set -A.
func parameters(args []word) []word {
	for len(args) > 0 && len(args[0].text) > 1 && strings.IndexByte("-+", args[0].text[0]) >= 0 && !args[0].unknown {
		option := args[0].text
		args = args[1:]
		if option == "--" {
			break
		}
		if strings.HasSuffix(option, "o") && option[1] != '-' { // -euo pipefail
			args = args[min(1, len(args)):]
		}
	}
	return args
}

// declarations are the builtins that give a variable attributes.
var declarations = [...]string{"declare", "typeset", "local", "readonly", "export", "nameref"}

// assigners are the builtins that assign to variables in their arguments.
var assigners = [...]string{"declare", "typeset", "local", "readonly", "export", "nameref", "read", "mapfile", "readarray", "getopts", "printf", "unset", "let", "wait"}

// expansions records what the expansions in a node assign, before the words
// with them are read.
func (r *Reader) expansions(node syntax.Node) {
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.Stmt:
			return false
		case *syntax.ParamExp:
			if n.Exp != nil && n.Exp.Word != nil && n.Param != nil {
				r.mayBe(n.Param.Value, r.value(n.Exp.Word))
				r.setElsewhere(n.Param.Value)
			}
			if n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) && n.Param != nil {
				r.vars.forget(n.Param.Value)
				r.checkAssignment(n.Param.Value, word{text: r.slice(n)})
			}
			if n.Excl || n.Index != nil || n.Slice != nil {
				r.arithmetic(n)
			}
		case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause, *syntax.CStyleLoop:
			r.arithmetic(n)
		case *syntax.Assign:
			if n.Index != nil {
				r.arithmetic(n.Index)
			}
		case *syntax.ArrayElem:
			if n.Index != nil {
				r.arithmetic(n.Index)
			}
		}
		return true
	})
}

// arithmetic records that an arithmetic expression is evaluated. It may assign,
// it may fail, which skips the rest of the line, and it runs the substitutions
// in the subscripts that its variables contain.
func (r *Reader) arithmetic(node syntax.Node) {
	r.vars.lost = true
	for _, name := range parse.Names(r.slice(node)) {
		r.vars.forget(name)
	}
	r.evaluates = true
}

// value returns the value that a word has in an assignment, where the shell
// does not split it.
func (r *Reader) value(w *syntax.Word) word {
	all := r.join(w.Parts)
	if !parse.HasTilde(w) {
		return all
	}
	if home, ok := r.vars.value("HOME"); ok && !all.unknown && strings.HasPrefix(r.slice(w), "~/") && strings.Count(all.text, "~") == 1 {
		return word{text: home + all.text[1:]}
	}
	return word{text: r.slice(w), unknown: true}
}

// given returns $X for ${X:?}, ${X:-d} and the like, if X has a value that is not empty.
func (r *Reader) given(part syntax.WordPart) syntax.WordPart {
	name, bare := parse.Default(part)
	if bare == nil || r.vars.known[name] == "" || !r.vars.isFollowed(name) || r.altered[part] {
		return part
	}
	return bare
}

// resolve returns the value of an expansion that the text determines.
func (r *Reader) resolve(part syntax.WordPart) (string, bool) {
	value, ok := "", false
	part = r.given(part)
	if name, isName := parse.Variable(part); isName && !r.altered[part] {
		value, ok = r.vars.value(name)
	} else if s, isOutput := part.(*syntax.CmdSubst); isOutput {
		value, ok = r.printed(s)
	}
	r.expanded += len(value)
	if r.expanded > 4*MaxText {
		return "", false
	}
	return value, ok
}

// printed returns the output of a substitution that only prints text that is known:
// $(cat <<E), $(printf '%s' TEXT) and $(echo TEXT).
func (r *Reader) printed(s *syntax.CmdSubst) (text string, ok bool) {
	if len(s.Stmts) != 1 || s.TempFile || s.ReplyVar || r.vars.opaque || r.dark {
		return "", false
	}
	statement := s.Stmts[0]
	c, ok := statement.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Assigns) > 0 || len(c.Args) == 0 || statement.Negated || statement.Background || statement.Coprocess || statement.Disown {
		return "", false
	}
	name, here := c.Args[0].Lit(), len(statement.Redirs) == 1 && statement.Redirs[0].Hdoc != nil && statement.Redirs[0].N == nil
	if r.redefines(name) || len(statement.Redirs) > 0 && !here {
		return "", false
	}
	var args []string
	for _, arg := range c.Args[1:] {
		for _, w := range r.words(arg) {
			if w.unknown || w.glob || strings.HasPrefix(w.text, "~") {
				return "", false
			}
			args = append(args, w.text)
		}
	}
	switch {
	case name == "cat" && here && len(args) == 0 && !r.path && !r.vars.assigned["PATH"]:
		w := r.hereDocument(statement.Redirs[0])
		text, ok = w.text, !w.unknown
	case name == "printf" && !here && len(args) == 2 && (args[0] == "%s" || args[0] == `%s\n`):
		text = args[1]
	case name == "printf" && !here && len(args) == 1 && !strings.HasPrefix(args[0], "-"):
		text = args[0]
		ok = !strings.ContainsAny(text, `%\`)
	case name == "echo" && !here && (len(args) == 0 || !strings.HasPrefix(args[0], "-")):
		text = strings.Join(args, " ")
		ok = !strings.Contains(text, `\`)
	default:
		return "", false
	}
	return strings.TrimRight(text, "\n"), ok
}

func (r *Reader) isAlias(name string) bool {
	_, ok := r.aliases[name]
	return ok
}

// redefines reports whether the text may define a function or an alias of a name.
func (r *Reader) redefines(name string) bool {
	if r.defined[name] || r.functions[name] || r.isAlias(name) {
		return true
	}
	if r.vars.later == 0 && r.loops == 0 {
		return false
	}
	// What follows may run before.
	return len(r.aliases) > 0 || slices.ContainsFunc([]string{"eval", "alias", "source", ". ", "function"}, func(word string) bool { return strings.Contains(r.source, word) })
}
