package reading

import (
	"slices"
	"strings"

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
		if !ok || strings.Contains(filters, " "+shell.Program(l.Words[0])+" ") && !listsFiles(l) || r.Commands[line-1].Caller() > 0 || l.Words[0] == "read" {
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

// listsFiles reports whether grep or rg prints the names of files.
func listsFiles(l shell.Invocation) bool {
	return slices.ContainsFunc(l.Words, func(w string) bool {
		return strings.HasPrefix(w, "--files") || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.ContainsAny(w, "lL")
	})
}

// lister returns the names that a command prints; nil if they are not known.
func lister(args []arg, dirs [][]shell.Piece) (from []operation) {
	name := shell.Program(args[0].text)
	o := operations{dirs: dirs}
	one := func(a arg) { from = append(from, operation{path: a.pieces, dirs: dirs}) }
	all := func(operands []arg) {
		if len(operands) == 0 {
			operands = []arg{here()}
		}
		for _, a := range operands {
			one(a)
			if a.known() {
				from = append(from, operation{path: a.pieces, dirs: dirs, below: true})
			}
		}
	}
	switch name {
	case "find", "gfind":
		from, _ = o.found(args[1:])
		return from
	case "fd", "fdfind":
		for _, a := range args[1:] {
			if has(" -x --exec -X --exec-batch ", a.text) {
				break
			} else if a.known() && !a.isOption() {
				from = append(from, operation{path: here().pieces, dirs: dirs, below: true, name: globOf(strings.Trim(strings.ReplaceAll(a.text, `\`, ""), "^$"))})
			}
		}
		if from == nil {
			all(nil)
		}
		return from
	case "echo", "printf":
		for _, a := range args[1:] {
			if !a.isOption() && !strings.Contains(a.text, "%") {
				for _, word := range strings.Fields(a.text) {
					if a.known() {
						one(arg{word, []shell.Piece{{Text: word}}})
					}
				}
				if !a.known() {
					one(a)
				}
			}
		}
		return from
	case "git":
		args = o.git(args)
		dirs = o.dirs
		if len(args) < 2 || args[1].text != "ls-files" {
			return nil
		}
		args = args[1:]
	case "ls":
	default:
		u, _ := shell.UsageOf(name)
		operands, _ := o.split(u, args[1:])
		if words := wordsOf(args); !listsFiles(words) || !strings.Contains(filters, " "+name+" ") {
			return nil
		}
		all(operands)
		return from
	}
	var operands []arg
	state := false
	for _, a := range args[1:] {
		if !a.isOption() {
			operands = append(operands, a)
		} else if name == "git" && a.text != "-z" && a.text != "--" && a.text != "-c" && a.text != "--cached" {
			state = true // such as --deleted: a part of the files
		}
	}
	all(operands)
	if state {
		from = slices.DeleteFunc(from, func(op operation) bool { return op.below })
		for _, a := range operands {
			from = append(from, operation{path: a.pieces, dirs: dirs, below: true, name: []shell.Piece{{Text: "*", Kind: shell.Glob}}})
		}
		if len(operands) == 0 {
			from = []operation{{path: here().pieces, dirs: dirs, below: true, name: []shell.Piece{{Text: "*", Kind: shell.Glob}}}}
		}
	}
	return from
}

// wordsOf returns the texts of words.
func wordsOf(args []arg) (l shell.Invocation) {
	for _, a := range args {
		l.Words = append(l.Words, a.text)
	}
	return l
}
