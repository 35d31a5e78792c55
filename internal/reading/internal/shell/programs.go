package shell

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// Use is a set of what a program does with an operand (D95).
type Use = spec.Access

// The uses, as in metadata.access.
const Reads, Writes, Removes, RemovesTree = spec.Read, spec.Write, spec.Remove, spec.RemoveTree

// Usage is what programs do with their operands. Lists of options begin and end with a
// space.
type Usage struct {
	Names  string // of the programs, in lower case; git/add is a subcommand
	All    Use    // of the operands
	Last   Use    // of the last of several operands, if it differs and no option in Writes is given
	Text   int    // operands before the paths that are text
	Given  string // options that give the text instead
	Values string // options whose values are no paths
	Reads  string // options whose values are files that are read
	Writes string // options whose values are files that are written
	Data   string // options whose values are text, or after @ files that are read
	Tree   string // options with which the operands are removed as trees
	Edits  string // options with which the operands are written
	Shows  string // options without which nothing is used; "" if none is needed
	Links  string // options with which only the last operand is used
	Idle   string // options with which nothing is used
	Keeps  string // options with which a file that is written is not new; "" if it never is
	Mirror string // options with which all that is below the last operand is removed
	Script string // options with which no operand is a path; otherwise only the first is
	Here   bool   // without operands, what is below the directory is used
	Words  bool   // options of several letters follow one hyphen
	Known  bool   // the name in the operands of another program is a command (D98)
	Runs   bool   // it may run the commands that its operands name
	Prose  bool   // its operands are texts, which may look like commands
}

// unlisted is the usage of a program in no row.
var unlisted = Usage{All: Reads | Writes, Runs: true}

// UsageOf returns the usage of a program, or of a subcommand such as git/add; listed is
// false if it is in no row.
func UsageOf(name string) (u *Usage, listed bool) {
	if name == "" {
		return &unlisted, false
	}
	word := " " + name + " "
	for i := range usages {
		if strings.Contains(usages[i].Names, word) {
			return &usages[i], true
		}
	}
	return &unlisted, false
}

// IsListed reports whether the program of a command is in a row.
func IsListed(words []string) bool {
	_, listed := UsageOf(strings.TrimSuffix(Program(words[0]), ".cmd"))
	return listed || IsInterpreter(Program(words[0]))
}

// isProgram reports whether a word is the name of a known program, or its path.
func isProgram(word string) bool {
	if at := strings.LastIndex(word, "/bin/"); at >= 0 && word[0] == '/' {
		word = word[at+len("/bin/"):]
	}
	u, _ := UsageOf(word)
	return u.Known
}

// isFileTool reports whether a program changes files that its operands name.
func isFileTool(name string) bool {
	u, _ := UsageOf(name)
	return u.Known && !u.Runs && u.All|u.Last != 0
}

// handsNothing reports whether the operands of a program are files, names or texts,
// also where they look like a command.
func handsNothing(name string) bool {
	u, _ := UsageOf(name)
	return !u.Runs || slices.Contains(builtins[:], name) && name != "sched" && name != "zpty" || slices.Contains(printers[:], name)
}

// IsInterpreter reports whether a program runs programs that are no shell texts.
func IsInterpreter(name string) bool {
	return findInterpreter(strings.TrimRight(name, "0123456789.")) >= 0
}

// takesProse reports whether the argument of an option is a text for people.
func takesProse(option string) bool {
	return option != "" && strings.Contains(prose, " "+option+" ")
}
