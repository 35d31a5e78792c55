package reading

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/program"
	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
	"github.com/agent-hooks/agent-hooks/spec"
)

// uses is what a call does with paths (D95).
type uses struct {
	call    *Call
	all     []operation
	unknown string // why there may be other paths; "" if there are none
	names   *names
	links   map[string][]shell.Piece // that the text has made, by their names
}

// used returns what the call does with paths.
func (c *Call) used() *uses {
	if c.uses == nil {
		c.uses = c.readUses()
	}
	return c.uses
}

func (c *Call) readUses() *uses {
	commands := c.Commands()
	u := &uses{call: c, unknown: commands.Unknown}
	u.values()
	for i := range commands.read {
		u.commands(&commands.read[i])
	}
	if commands.Searched {
		for _, text := range commands.Texts {
			u.searched(text)
		}
	}
	u.names = c.namesOf(u.all)
	return u
}

// readers are words in the names of tools that only read, and changers those that
// do not.
var (
	readers  = [...]string{"read", "get", "list", "search", "view", "find", "show", "stat", "glob", "grep", "fetch"}
	changers = [...]string{"write", "edit", "delete", "remove", "move", "create", "update", "set", "clean", "rename", "replace", "insert", "append", "put", "exec", "run"}
)

// toolAccess returns what the tool does with its paths.
func (c *Call) toolAccess() (used shell.Use) {
	for _, tool := range c.Tools {
		switch tool {
		case "ReadFile", "Glob", "Grep", "LS":
			used |= read
		case "WriteFile", "EditFile":
			used |= write
		case "Delete":
			used |= remove
		}
	}
	if used != 0 || len(c.Tools) == 0 {
		return max(used, 1)
	}
	has := func(words []string) bool {
		return slices.ContainsFunc(c.Own, func(name string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(name), w) })
		})
	}
	switch {
	case slices.ContainsFunc(c.Own, func(name string) bool { return spec.KnownTool(name) && !spec.IsMCP(name) }):
		return change
	case has(readers[:]) && !has(changers[:]):
		return read
	}
	return shell.Use(spec.AnyAccess)
}

// values adds the paths of other tools.
func (u *uses) values() {
	reading := u.call.reading()
	if reading.Unreadable && u.unknown == "" {
		u.unknown = "the tool's input cannot be read"
	}
	for _, m := range u.call.named() {
		path := []shell.Piece{{Text: m.text}}
		if strings.ContainsAny(m.text, "*?[") && m.glob {
			path = globOf(m.text)
		}
		u.all = append(u.all, operation{path: path, used: m.used, dirs: [][]shell.Piece{nil}, odd: m.odd})
	}
}

// commands adds the paths of the commands of a shell text.
func (u *uses) commands(r *parsed) {
	callers := map[int]bool{}
	for i := range r.Commands {
		callers[r.Commands[i].Caller()] = true
	}
	byLine := map[int]shell.Invocation{}
	for _, l := range r.lines {
		byLine[l.Command+1] = l
	}
	for i := range r.Commands {
		c := &r.Commands[i]
		o := operations{dirs: r.Dirs(i), prints: r.PrintsVariables(i)}
		o.redirects(c)
		l, ok := byLine[i+1]
		if ok && (c.Scanned() || r.IsFunction(l.Words[0])) && !shell.IsListed(l.Words) { // the function's body is read
			u.add(r, &o)
			continue
		}
		if ok && !callers[i+1] {
			o.environment(r, c, byLine)
			o.handed(r, c, byLine, argsOf(l))
		} else if ok && slices.Contains([]string{"find", "gfind"}, shell.Program(l.Words[0])) {
			o.find(argsOf(l)[1:])
		} else if ok {
			o.mounts(argsOf(l))
		}
		u.add(r, &o)
		if ok {
			u.link(l)
		}
	}
	for _, l := range r.handed {
		o := operations{dirs: r.Dirs(l.Command)}
		o.command(argsOf(l))
		u.add(r, &o)
	}
}

// linked returns the operations through links that the text has made: after ln -s DIR c, c/x is DIR/x.
func (u *uses) linked(all []operation) (through []operation) {
	for _, op := range all {
		if op.path[0].Kind != shell.Literal || len(u.links) == 0 {
			continue
		}
		name, rest, below := strings.Cut(op.path[0].Text, "/")
		target, ok := u.links[name]
		if !ok {
			continue
		}
		path := slices.Clone(target)
		if below {
			path = append(path, shell.Piece{Text: "/" + rest})
		}
		op.path = append(path, op.path[1:]...)
		through = append(through, op)
	}
	return through
}

// link records a link that a command makes: ln -s TARGET NAME.
func (u *uses) link(l shell.Invocation) {
	if len(l.Words) < 4 || shell.Program(l.Words[0]) != "ln" || len(l.Pieces) > 1 {
		return
	}
	args := slices.DeleteFunc(argsOf(l)[1:], func(a arg) bool { return a.isOption() })
	if len(args) == 2 && args[1].known() {
		if u.links == nil {
			u.links = map[string][]shell.Piece{}
		}
		u.links[strings.TrimPrefix(args[1].text, "./")] = args[0].pieces
	}
}

// add adds what a command does, also with the values that the text gives the variables in
// its paths.
func (u *uses) add(r *parsed, o *operations) {
	for _, op := range slices.Concat(o.all, u.linked(o.all)) {
		with := func(path []shell.Piece) (all [][]shell.Piece, made bool) {
			all, complete, made := r.With(path)
			if !complete {
				u.unknown = cmp.Or(u.unknown, "the text gives a variable too many values")
			}
			return all, made
		}
		var dirs [][]shell.Piece
		for _, dir := range op.dirs {
			all, _ := with(dir)
			dirs = append(append(dirs, dir), all...)
		}
		paths, made := with(op.path)
		if !made {
			u.all = append(u.all, op)
		}
		if len(dirs) > len(op.dirs) {
			paths = append(paths, op.path)
		}
		for _, path := range paths {
			op.path, op.dirs, op.made = path, dirs, false
			u.all = append(u.all, op)
		}
	}
}

// mounts adds the paths in the options of a program that runs another, such as docker
// run -v DIR:/mnt and --env-file=FILE.
func (o *operations) mounts(args []arg) {
	p, parsed, _ := program.Parse(wordsOf(args))
	o.options(p, &parsed, args)
	for i := range parsed.Options {
		given := &parsed.Options[i]
		if given.Value >= 0 && given.Does&^program.Text == 0 {
			o.joined(args[given.Value].from(given.From), change)
		}
	}
}

// redirects adds the targets of redirections, and the programs in here-documents.
func (o *operations) redirects(c *shell.Command) {
	for i := range c.Redirects {
		r := &c.Redirects[i]
		target := arg{r.Target, r.Pieces()}
		switch {
		case strings.HasPrefix(r.Op, "<<"):
			if len(c.Words) > 0 && shell.IsInterpreter(shell.Program(c.Words[0])) {
				o.program(r.Text)
			} else if appliesPatches(c.Words) {
				for _, p := range patched(cmp.Or(r.Text, r.Target)) {
					o.add(arg{p.text, []shell.Piece{{Text: p.text}}}, p.used)
				}
			}
		case strings.HasSuffix(r.Op, "&") && strings.Trim(r.Target, "0123456789-") == "":
		case r.Op == "<":
			o.add(target, read)
		case r.Op == "<>":
			o.add(target, change)
		default:
			before := len(o.all)
			o.add(target, write)
			if len(o.all) > before {
				o.all[before].made = !strings.Contains(r.Op, ">>")
			}
		}
	}
	for _, a := range c.Assigns {
		_, value, _ := strings.Cut(a, "=")
		value = strings.Trim(value, `"'`)
		if len(c.Words) > 0 && !strings.ContainsAny(value, "$`") {
			o.add(arg{value, []shell.Piece{{Text: value}}}, change)
		}
	}
}

// environment changes the directories as the program does that runs a command.
func (o *operations) environment(r *parsed, c *shell.Command, lines map[int]shell.Invocation) {
	for line, steps := c.Caller(), 0; line > 0 && steps < 50; line, steps = r.Commands[line-1].Caller(), steps+1 {
		args := argsOf(lines[line])
		if len(args) == 0 || !strings.Contains(" env sudo doas genv nsenter ", " "+shell.Program(args[0].text)+" ") {
			continue
		}
		for i, a := range args[1:] {
			switch option, _, attached := strings.Cut(a.text, "="); {
			case (option == "-C" || option == "-D" || option == "--chdir") && !attached && i+2 < len(args):
				o.enter(args[i+2].pieces)
			case option == "--chdir" && a.isOption():
				o.enter(a.from(len("--chdir=")).pieces)
			}
		}
	}
}

// searched adds the paths of a text that is not parsed.
func (u *uses) searched(text string) {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";|&\r\n{}()", r) }) {
		words := strings.Fields(strings.NewReplacer(`"`, "", "'", "", "`", "", "^", "").Replace(part))
		if len(words) == 0 {
			continue
		}
		o := operations{dirs: [][]shell.Piece{nil}}
		used := shell.Use(0)
		switch strings.ToLower(words[0]) {
		case "remove-item", "ri", "rm", "del", "erase", "rd", "rmdir":
			used = remove
		}
		for _, w := range words[1:] {
			if lower := strings.ToLower(w); lower == "/s" || strings.HasPrefix(lower, "-r") {
				used |= tree
			}
		}
		if used&remove == 0 {
			used = 0
		}
		for _, w := range words[1:] {
			kind := shell.Literal
			if strings.Contains(w, "$") || strings.Contains(w, "%") {
				kind = shell.Quoted
			}
			switch {
			case strings.HasPrefix(w, "-"), used&remove != 0 && len(w) == 2 && w[0] == '/':
			case used != 0:
				o.add(arg{w, []shell.Piece{{Text: w, Kind: kind}}}, used)
			default:
				o.add(arg{w, []shell.Piece{{Text: w, Kind: kind}}}, change)
			}
		}
		u.all = append(u.all, o.all...)
	}
}
