package shell

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/program"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Use is a set of what a program does with an operand (D95).
type Use = spec.Access

// The uses, as in metadata.access.
const Reads, Writes, Removes, RemovesTree = spec.Read, spec.Write, spec.Remove, spec.RemoveTree

// Program returns the name of a program without its folder and .exe, in lower
// case.
func Program(word string) string { return program.Name(word) }

// given returns words as the parser of options reads them. The first one counts as known.
func given(words []word) (all []program.Word) {
	all = make([]program.Word, 0, len(words))
	for i, w := range words {
		one := program.Word{Text: w.text, Known: len(w.text), Several: w.splits}
		if w.unknown && i > 0 {
			one.Known = 0
			if len(w.pieces) > 0 && w.pieces[0].Kind == Literal && strings.HasPrefix(w.text, w.pieces[0].Text) {
				one.Known = len(w.pieces[0].Text)
			}
		}
		if w.filled && i > 0 {
			one.Known = 0
		}
		all = append(all, one)
	}
	return all
}

// argument returns the argument of an option.
func argument(words []word, o *program.Given) word {
	w := words[o.Value]
	if o.From == 0 {
		return w
	}
	w.text = w.text[o.From:]
	if len(w.pieces) > 0 && len(w.pieces[0].Text) >= o.From {
		w.pieces = slices.Clone(w.pieces)
		w.pieces[0].Text = w.pieces[0].Text[o.From:]
	}
	return w
}

// IsListed reports whether the program of a command is in a row.
func IsListed(words []string) bool {
	_, listed := program.Of(strings.TrimSuffix(Program(words[0]), ".cmd"))
	return listed
}

// isProgram reports whether a word is the name of a known program, or its path.
func isProgram(word string) bool {
	if at := strings.LastIndex(word, "/bin/"); at >= 0 && word[0] == '/' {
		word = word[at+len("/bin/"):]
	}
	p, _ := program.Of(word)
	return p.Is&program.Known != 0
}

// isFileTool reports whether a program changes files that its operands name.
func isFileTool(name string) bool {
	p, _ := program.Of(name)
	return p.Is&(program.Known|program.MayRun) == program.Known && p.Operands|p.Last != 0
}

// handsNothing reports whether the operands of a program are files, names or texts,
// also where they look like a command.
func handsNothing(name string) bool {
	p, _ := program.Of(name)
	return p.Is&program.MayRun == 0 || slices.Contains(builtins[:], name) && name != "sched" && name != "zpty"
}

// prints reports whether a program's operands are only text, and it reads no input.
func prints(name string) bool {
	p, _ := program.Of(name)
	return p.Is&program.Prints != 0
}

// IsInterpreter reports whether a program runs programs that are no shell texts.
func IsInterpreter(name string) bool {
	p, _ := program.Of(name)
	return p.Runs&program.Language != 0
}
