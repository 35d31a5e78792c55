package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/parse"
	"github.com/agent-hooks/agent-hooks/internal/reading/internal/program"
)

// runner is a program that runs a program: what it reads, a text in its words,
// or a file.
type runner struct {
	name        string // shellName for all shells
	stdin, text bool
	literal     bool // the text is literal, and runs no other one
	file        string
}

// parsedLine is a line with its row.
type parsedLine struct {
	row    *program.Program
	listed bool
	args   program.Args
	words  []program.Word
}

// parseLine parses a line, which may have no words.
func parseLine(l Invocation) (p parsedLine) {
	for i, w := range l.Words {
		word := program.Literal(w)
		if pieces := l.Pieces[i]; pieces != nil && i > 0 {
			word = program.Word{Text: w, Several: len(pieces) == 1 && pieces[0].Kind == Unquoted}
			if pieces[0].Kind == Literal && strings.HasPrefix(w, pieces[0].Text) {
				word.Known = len(pieces[0].Text)
			}
		}
		p.words = append(p.words, word)
	}
	if len(p.words) == 0 {
		p.row, p.listed = &program.Program{}, true
		return p
	}
	p.row, p.args, p.listed = program.Parse(p.words)
	return p
}

// runner returns how a command runs a program.
func (p parsedLine) runner() (runner, bool) {
	if len(p.words) == 0 {
		return runner{}, false
	}
	name, args, words := program.Name(p.words[0].Text), p.args, p.words
	run := runner{name: shellName}
	switch {
	case name == "eval" || name == "trap" || name == "alias":
		run.text = true
		return run, true
	case name == "." || name == "source":
		if len(args.Operands) > 0 {
			run.file = words[args.Operands[0]].Text
			run.stdin = isInput(run.file)
		}
		return run, true
	case p.row.Runs&program.Foreign != 0 && takesSlashes(name):
		return runner{}, false
	case p.row.Runs&program.Language != 0:
		run.name = name
	case p.row.Runs&(program.Script|program.Foreign) != 0:
	case strings.Contains(words[0].Text, "/"):
		run.file = words[0].Text
		return run, true
	default:
		return runner{}, false
	}
	run.text = args.Any(program.First | program.Code | program.Module)
	if run.text && run.name != shellName {
		run.literal = true
		args.Each(program.First|program.Code|program.Module, func(o *program.Given) {
			run.literal = run.literal && isClosed(words[o.Value])
		})
	}
	switch {
	case run.text && run.name != shellName:
	case args.Any(program.Input):
		run.stdin = true
	case run.text:
	case len(args.Operands) == 0 || words[args.Operands[0]].Text == "-" && run.name != shellName || isInput(words[args.Operands[0]].Text):
		run.stdin = true
	default:
		first := words[args.Operands[0]]
		run.file, run.stdin = first.Text, first.Several // it may be no word
	}
	return run, true
}

// isClosed reports whether a program is literal, and does not run what its arguments say.
func isClosed(w program.Word) bool {
	return w.Known == len(w.Text) && !slices.ContainsFunc([]string{"eval", "exec", "system", "spawn", "Function", "import(", "require(process", "popen", "subprocess", "load", "`"}, func(word string) bool {
		return strings.Contains(w.Text, word)
	})
}

// Programs returns the literal programs for interpreters other than shells: the words
// and here-documents of their commands, and the files that the text wrote.
func (r *Reader) Programs() (all []string) {
	for i := range r.Commands {
		c := &r.Commands[i]
		run, ok := parseLine(r.invocation(i)).runner()
		if len(c.Words) > 0 && strings.HasSuffix(Program(c.Words[0]), "awk") {
			run, ok = runner{text: true}, true
		}
		if !ok || run.name == shellName {
			continue
		}
		if run.text {
			all = append(all, c.Words[1:]...)
		}
		for line := c.Line; line > 0 && run.stdin; line = r.Commands[line-1].caller {
			for _, redirect := range r.Commands[line-1].Redirects {
				if strings.HasPrefix(redirect.Op, "<<") {
					all = append(all, redirect.Text+"\n"+redirect.Target)
				}
			}
		}
		if run.file != "" {
			all = append(all, r.contents[path.Clean(run.file)])
		}
	}
	return all
}

// variablesIn returns the names of the variables in the source of a word.
func variablesIn(text string) (names []string) {
	for {
		at := strings.IndexByte(text, '$')
		if at < 0 {
			return names
		}
		text = strings.TrimLeft(text[at+1:], "{!#")
		end := 0
		for end < len(text) && parse.IsNameByte(text[end]) {
			end++
		}
		if end > 0 {
			names = append(names, text[:end])
		}
		text = text[end:]
	}
}

// assignedBy returns the variables that a command assigns.
func assignedBy(c *Command) (names []string) {
	if len(c.Words) == 0 {
		for _, a := range c.Assigns {
			if name, _, ok := strings.Cut(a, "="); ok {
				names = append(names, strings.TrimSuffix(name, "+"))
			}
		}
		return names
	}
	if c.Words[0] == "set" {
		return []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}
	}
	if name := c.Words[0]; slices.Contains(assigners[:], name) && name != "unset" {
		for _, w := range c.Words[1:] {
			if name, _, _ := strings.Cut(w, "="); name != "" && len(parse.Names(name)) == 1 && parse.Names(name)[0] == name {
				names = append(names, name)
			}
		}
	}
	return names
}
