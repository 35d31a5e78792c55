package shell

import (
	"path"
	"slices"
	"strings"
)

// runner is a program that runs a program: what it reads, a text in its words,
// or a file.
type runner struct {
	name        string // sh for all shells
	stdin, text bool
	file        string
}

// runnerOf returns how a command runs a program.
func runnerOf(l Invocation) (runner, bool) {
	words := l.Words
	if len(words) == 0 {
		return runner{}, false
	}
	name := Program(words[0])
	args := make([]word, len(words)-1)
	for i, w := range words[1:] {
		pieces := l.Pieces[i+1]
		args[i] = word{text: w, unknown: pieces != nil, splits: len(pieces) == 1 && pieces[0].Kind == Unquoted}
	}
	switch {
	case name == "eval" || name == "trap" || name == "alias":
		return runner{name: "sh", text: true}, true
	case name == "." || name == "source":
		run := runner{name: "sh"}
		if len(args) > 0 && args[0].text == "--" {
			args = args[1:]
		}
		if len(args) > 0 {
			run.file, run.stdin = args[0].text, isInput(args[0].text)
		}
		return run, true
	case slices.Contains(shells[:], name), slices.Contains(otherShells[:], name) && name != "cmd" && name != "pwsh" && name != "powershell":
		return shellRunner(args), true
	case strings.Contains(words[0], "/"):
		if base := strings.TrimRight(name, "0123456789."); base != name && findInterpreter(base) < 0 || findInterpreter(base) < 0 {
			return runner{name: "sh", file: words[0]}, true
		}
	}
	at := findInterpreter(strings.TrimRight(name, "0123456789."))
	if at < 0 {
		return runner{}, false
	}
	return interpreter(at, name, args), true
}

func findInterpreter(name string) int {
	return slices.IndexFunc(interpreters[:], func(p struct{ name, values, programs, sub string }) bool { return p.name == name })
}

// shellRunner reads the words of a shell.
func shellRunner(args []word) runner {
	run := runner{name: "sh"}
	for len(args) > 0 {
		a := args[0].text
		if args[0].unknown || len(a) < 2 || a[0] != '-' && a[0] != '+' {
			break
		}
		args = args[1:]
		if a == "--" {
			break
		}
		if strings.HasPrefix(a, "--") {
			if a == "--rcfile" || a == "--init-file" {
				args = args[min(1, len(args)):]
			}
			continue
		}
		run.text = run.text || strings.Contains(a, "c")
		run.stdin = run.stdin || strings.Contains(a, "s")
		args = args[min(strings.Count(a, "o")+strings.Count(a, "O"), len(args)):]
	}
	if len(args) > 0 && args[0].text == "-" {
		args = args[1:]
	}
	switch {
	case run.text:
	case run.stdin:
	case len(args) == 0 || isInput(args[0].text):
		run.stdin = true
	default:
		run.file, run.stdin = args[0].text, args[0].splits // it may be no word
	}
	return run
}

// interpreter reads the words of another interpreter.
func interpreter(at int, name string, args []word) runner {
	run, p := runner{name: name}, interpreters[at]
	if p.sub != "" {
		i := slices.IndexFunc(args, func(a word) bool { return a.text == p.sub })
		if i < 0 && p.name == "deno" {
			return run
		}
		args = args[i+1:]
	}
	for len(args) > 0 {
		a := args[0].text
		if args[0].unknown && !strings.HasPrefix(a, "-") || a == "-" || len(a) < 2 || a[0] != '-' {
			break
		}
		args = args[1:]
		switch letter, value := cluster(a, p.values+p.programs); {
		case a == "--":
		case strings.HasPrefix(a, "--"):
			if option, _, _ := strings.Cut(a, "="); option == "--eval" || option == "--print" {
				run.text = true
				return run
			}
		case letter != 0 && strings.IndexByte(p.programs, letter) >= 0:
			run.text = true
			return run
		case letter != 0 && value == "":
			args = args[min(1, len(args)):]
		}
	}
	if len(args) == 0 || args[0].text == "-" || isInput(args[0].text) {
		run.stdin = true
		return run
	}
	run.file, run.stdin = args[0].text, args[0].splits
	return run
}

// Programs returns the literal programs for interpreters other than shells: the words
// and here-documents of their commands, and the files that the text wrote.
func (r *Reader) Programs() (all []string) {
	for i := range r.Commands {
		c := &r.Commands[i]
		run, ok := runnerOf(r.invocation(i))
		if len(c.Words) > 0 && strings.HasSuffix(Program(c.Words[0]), "awk") {
			run, ok = runner{text: true}, true
		}
		if !ok || run.name == "sh" {
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
		for end < len(text) && (text[end] == '_' || isAlphanumeric(text[end])) {
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
			if name, _, _ := strings.Cut(w, "="); name != "" && len(namesIn(name)) == 1 && namesIn(name)[0] == name {
				names = append(names, name)
			}
		}
	}
	return names
}
