package reading

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/program"
	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
)

// Programs hand names on (D124): xargs, $(...), find -exec and while read give a command the paths
// that another program lists.

// filters are programs that print some of the lines that they read.
const filters = " grep egrep fgrep rg head tail sort uniq sed awk tr cut cat tee "

// handedWord stands for what a program fills in, while its use is determined.
const handedWord = "\x01"

// handed adds what a command does with the names that other programs hand to it.
func (o *operations) handed(r *parsed, c *shell.Command, lines map[int]shell.Invocation, args []arg) {
	from, isFilled := sources(r, c, lines)
	if len(from) == 0 {
		o.command(args)
		return
	}
	filled := false
	args = slices.Clone(args)
	for i := range args {
		if i > 0 && !args[i].known() && isFilled(args[i].text) {
			args[i], filled = arg{handedWord, []shell.Piece{{Text: handedWord}}}, true
		}
	}
	before := len(o.all)
	o.command(args)
	if !filled {
		return
	}
	own := slices.Clone(o.all[before:])
	o.all = o.all[:before]
	for _, op := range own {
		if len(op.path) != 1 || op.path[0].Text != handedWord {
			o.all = append(o.all, op)
			continue
		}
		for _, f := range from {
			f.used, f.moved = op.used, op.moved
			if f.used&remove != 0 && f.below && f.name == nil {
				f.used |= tree
			}
			o.all = append(o.all, f)
		}
	}
}

// sources returns the names that other programs hand to a command, and a test for the words in whose
// place they are. There are none if another list may be handed to it, too.
func sources(r *parsed, c *shell.Command, lines map[int]shell.Invocation) (from []operation, isFilled func(word string) bool) {
	if caller := lines[c.Caller()]; c.Caller() > 0 && len(caller.Words) > 0 {
		isFilled = func(word string) bool { return word == "..." || strings.Contains(word, "{}") }
		switch shell.Program(caller.Words[0]) {
		case "find", "gfind", "fd", "fdfind":
			return lister(argsOf(caller), r.Dirs(c.Caller()-1)), isFilled
		case "xargs", "gxargs":
			return listedBy(r, c.Reads, lines), isFilled
		}
	}
	var inner []int
	for i := range r.Commands {
		if r.Commands[i].Inside == c.Line && r.Commands[i].Caller() == 0 {
			inner = append(inner, i+1)
		}
	}
	if len(inner) > 0 {
		return listedBy(r, inner, lines), func(word string) bool {
			return strings.HasPrefix(word, "$(") || strings.HasPrefix(word, "`")
		}
	}
	if len(c.Reads) == 0 {
		return nil, nil
	}
	read := map[string]bool{}
	for _, l := range lines {
		if len(l.Words) > 1 && l.Words[0] == "read" {
			for _, name := range l.Words[1:] {
				read["$"+name], read["${"+name+"}"] = true, true
			}
		}
	}
	if len(read) == 0 {
		return nil, nil
	}
	return listedBy(r, c.Reads, lines), func(word string) bool { return read[word] }
}

// listedBy returns the names that commands list.
func listedBy(r *parsed, commands []int, lines map[int]shell.Invocation) (from []operation) {
	for _, line := range commands {
		l, ok := lines[line]
		if !ok || strings.Contains(filters, " "+shell.Program(l.Words[0])+" ") && !listsNames(l) || r.Commands[line-1].Caller() > 0 || l.Words[0] == "read" {
			continue
		}
		found := lister(argsOf(l), r.Dirs(line-1))
		if found == nil {
			return nil
		}
		from = append(from, found...)
	}
	return from
}

// listsNames reports whether an option makes a command print the names of files.
func listsNames(l shell.Invocation) bool {
	_, parsed, _ := program.Parse(wordsOf(argsOf(l)))
	return parsed.Any(program.Named)
}

// lister returns the names that a command prints; nil if they are not known.
func lister(args []arg, dirs [][]shell.Piece) (from []operation) {
	words := wordsOf(args)
	if !args[0].known() {
		return nil
	}
	p, parsed, _ := program.Parse(words)
	o := operations{dirs: dirs}
	parsed.Each(program.Enter, func(given *program.Given) { o.enter(args[given.Value].from(given.From).pieces) })
	operands := o.operands(p, &parsed, args)
	narrow := parsed.Any(program.Narrows)
	all := func(operands []arg, name []shell.Piece) {
		if len(operands) == 0 {
			operands = []arg{here()}
		}
		for _, a := range operands {
			if !narrow && name == nil {
				from = append(from, operation{path: a.pieces, dirs: o.dirs})
			}
			if a.known() {
				from = append(from, operation{path: a.pieces, dirs: o.dirs, below: true, name: name})
			}
		}
	}
	switch {
	case p.Has(program.Deletes):
		from, _ = o.found(args[1:])
	case p.Is&program.Prints != 0:
		from = printed(parsed.Name, args, dirs)
	case p.Is&program.Lists != 0 && p.Text > 0: // fd
		if len(parsed.Operands) == 0 {
			all(nil, nil)
		} else if pattern := args[parsed.Operands[0]]; pattern.known() {
			all(operands, globOf(strings.Trim(strings.ReplaceAll(pattern.text, `\`, ""), "^$")))
		}
	case narrow:
		all(operands, []shell.Piece{{Text: "*", Kind: shell.Glob}})
	case p.Is&program.Lists != 0, parsed.Any(program.Named):
		all(operands, nil)
	}
	return from
}

// printed returns the names that echo or printf prints.
func printed(name string, args []arg, dirs [][]shell.Piece) (from []operation) {
	if name != "echo" && name != "printf" {
		return nil
	}
	for _, a := range args[1:] {
		switch {
		case a.isOption(), strings.Contains(a.text, "%"):
		case a.known():
			for word := range strings.FieldsSeq(a.text) {
				from = append(from, operation{path: []shell.Piece{{Text: word}}, dirs: dirs})
			}
		default:
			from = append(from, operation{path: a.pieces, dirs: dirs})
		}
	}
	return from
}
