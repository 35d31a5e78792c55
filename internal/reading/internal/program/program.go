// Package program has the table of programs: one row for each, which says what the program does with
// its operands and its options, and which commands it runs; and the only parser of options. It knows
// no shell: its words are those that a shell has resolved.
//
// # Adding a program
//
// Add a row to the table of its kind: texts.go, files.go, git.go, wrappers.go, launchers.go,
// builders.go or languages.go. The row of a program that reads its operands, whatever its options are:
//
//	{Names: " tac ", Operands: read, Flags: " * "},
//
// Lists of names and options are words with a space before and after each. In a list of options, -ab
// means -a and -b, and --all is one option; in a row that Is Words, -ab is one option, too. Flags are
// the options without an argument, and Values those whose argument is a text of no interest. An option
// that reads, writes or runs something, or changes what happens to the operands, is in Options instead:
//
//	{Names: " sort ", Operands: read, Flags: " -bcdfghimnrsuz --reverse ", Values: " -kt --key ", Options: []Option{
//		{Write, " -o --output "}, {Run, " --compress-program "},
//	}},
//
// An entry in Options counts before Flags, so rows can share a list. Which letters have an argument matters: in -ro F, F is a file. An option that the row lacks counts as
// one that may write and run anything, so an allow covers it only if its pattern names it. The
// flag * stands for all options that are in no list, and says that they write, remove and run nothing.
//
// A subcommand has a row of its own: git/add, or docker/compose/run. The options before it are in the
// row of its program. A program that runs the command in its operands has Runs, and Skip if the command
// does not begin with the first of them:
//
//	{Names: " timeout ", Flags: " -v --foreground ", Values: " -ks ", Runs: Command, Skip: 1},
//
// The tests compare the table with the one in spec/READING.md; -update rewrites that.
package program

import (
	"slices"
	"strings"
	"sync"

	"github.com/agent-hooks/agent-hooks/spec"
)

// Use is a set of what a program does with an operand (D95).
type Use = spec.Access

const (
	read   = spec.Read
	write  = spec.Write
	remove = spec.Remove
	change = read | write
	tree   = spec.RemoveTree
)

// Program is the row of a program.
type Program struct {
	Names    string // in lower case; git/add is a subcommand
	Operands Use    // 0 if they are no paths
	Last     Use    // of the last of several operands, if it differs and no option that writes is given
	Text     int    // operands before the paths that are text
	Is       Trait
	Flags    string   // options without an argument; * for all that are in no list
	Values   string   // options whose argument is a text of no interest
	Options  []Option // all others
	Runs     Runs
	Skip     int // operands before the command that it runs
}

// Trait is a set of facts about a program.
type Trait uint16

// Traits of programs.
const (
	Known     Trait = 1 << iota // its name among the operands of another program is a command (D98)
	Prose                       // its operands are texts, which may look like commands
	Prints                      // its operands are only text, and it reads no input
	MayRun                      // it may run the commands that its operands name
	Here                        // without operands, it uses what is below the directory
	Words                       // options of several letters follow one hyphen
	Copies                      // its last operand becomes a copy of the others
	Downloads                   // its operands are URLs, of which it writes files unless an option names one
	Fills                       // its operands, also with .gz and the like, are files that get content
	Output                      // the last of two operands is a file that it writes, which is not its purpose
	Lists                       // it prints the names of its operands and of what is below them
	Loads                       // it uses its operands and shows nothing of them (D127)
	Reveals                     // it prints variables
	Sed                         // its programs are those of sed
	Awk                         // its programs are those of awk
	Open                        // it has too many options for a row: an allow leaves those in no list to its pattern
)

// Runs is how a program runs a command or another program.
type Runs uint16

// The command is in the operands after Skip (Command, Joined), in a file that the first operand names
// (Script, Foreign, Language), or only in options (0).
const (
	Command   Runs = 1 << iota // the operands are its words
	Joined                     // the operands are joined to a text for a shell
	Script                     // the file is for a shell with the grammar of sh, or a similar one
	Foreign                    // the file is for a shell with another grammar
	Language                   // the file is in a language of its own
	Typed                      // the operands are the names of keys that are typed
	Dashes                     // the command follows --, if there is one
	Version                    // its name may have a version: npm@latest
	Remote                     // it runs elsewhere: words that only the shell knows count as one word each
	Assigns                    // NAME=VALUE may precede it
	Elsewhere                  // it runs on another computer, in another directory
	Arguments                  // words after ::: are the arguments of the command, or commands
	Mixed                      // options may follow the operands before it
	Appends                    // words are appended to it
	Alone                      // without a command, a shell runs
	Fed                        // its input is a text for a shell
)

// Option is a list of options that do the same.
type Option struct {
	Does  Does
	Names string // if= is one of dd: if=FILE
}

// Does is what an option does with its argument, and to the use of the operands.
type Does uint64

// What an option does with its argument. An option without one of them has no argument.
const (
	Text    Does = 1 << iota // nothing of interest, but the option does something else
	Read                     // it reads the file
	Write                    // it writes the file
	Load                     // it uses the file, and shows nothing of it (D127)
	Enter                    // it works in the directory
	Into                     // it writes its files into the directory
	Paths                    // it has paths, joined by = : or ,
	Data                     // it is a text or, after @, a file that is read
	Run                      // it is a text for a shell
	Helper                   // it is a program that it starts, mostly with arguments
	Exec                     // it is, with the words after it up to ; or +, a command
	Tail                     // it is, with all words after it, a command
	Code                     // it is a program in the language of the program
	Module                   // it is the name of a program, whose words follow
	Setting                  // it is NAME=VALUE, which may name a command
	Entry                    // it is the program of the command in the operands

	// acting are the options that an allow covers only if its pattern names them (D126).
	acting = Write | Enter | Into | Run | Helper | Exec | Tail | Module | Setting | Entry | Trees | Edits | Deletes | Mirror | Fetches | Shell | First | Input | Acts

	argument = Text | Read | Write | Load | Enter | Into | Paths | Data | Run | Helper | Exec | Tail | Code | Module | Setting | Entry
)

// What an option does otherwise.
const (
	Trees    Does = 1 << (iota + 17) // the operands are removed as trees
	Edits                            // the operands are written
	Deletes                          // what the operands lead to is removed
	Links                            // only the last operand is used
	Idle                             // nothing is used
	Shows                            // without it, nothing is used
	Keeps                            // a file that is written is not new; without such an option in the row, it never is
	Mirror                           // what is below the last operand is removed
	Instead                          // there is no text before the operands
	Fetches                          // the program Downloads
	Replaces                         // the argument is replaced in the command; {} without one
	Shell                            // without a command, a shell runs
	First                            // the first operand is a text for the shell
	Input                            // the input is a text for the shell
	Attached                         // an argument is in the same word, or missing
	Named                            // the program prints the names of files
	Narrows                          // the program Lists a part of them
	Acts                             // it writes, removes or changes something else, or starts something
)

// tables are all rows.
var tables = [...]*[]Program{&texts, &files, &vcs, &wrappers, &launchers, &builders, &languages}

// Unlisted is the row of a program in no row.
var Unlisted = Program{Operands: change, Is: MayRun}

// index has the rows by their names. It is made when it is first needed, because a variable with an
// initializer would be made in each run.
var index struct {
	once sync.Once
	rows map[string]*Program
	subs map[string]bool // names with a subcommand
}

func makeIndex() {
	index.rows, index.subs = make(map[string]*Program, 1024), make(map[string]bool, 64)
	for _, table := range tables {
		for i := range *table {
			p := &(*table)[i]
			for name := range strings.FieldsSeq(p.Names) {
				index.rows[name] = p
				for at := strings.LastIndexByte(name, '/'); at > 0; at = strings.LastIndexByte(name[:at], '/') {
					index.subs[name[:at]] = true
				}
			}
		}
	}
}

// Of returns the row of a program, or of a subcommand such as git/add. listed is false if it is in no
// row.
func Of(name string) (p *Program, listed bool) {
	index.once.Do(makeIndex)
	if p := index.rows[name]; p != nil {
		return p, true
	}
	if bare := strings.TrimRight(name, "0123456789."); bare != name {
		if p := index.rows[bare]; p != nil && p.Runs&Language != 0 {
			return p, true
		}
	}
	return &Unlisted, false
}

// Name returns the name of a program without its folder and .exe, in lower case.
func Name(word string) string {
	name := strings.ToLower(word[strings.LastIndexByte(word, '/')+1:])
	return strings.TrimSuffix(name, ".exe")
}

// All calls visit for each row, in order.
func All(visit func(*Program)) {
	for _, table := range tables {
		for i := range *table {
			visit(&(*table)[i])
		}
	}
}

// IsShell reports whether a name is that of a shell with the grammar of sh, or a similar one.
func IsShell(name string) bool {
	p, _ := Of(name)
	return p.Runs&Script != 0
}

// Has reports whether one of the row's options does one of some things.
func (p *Program) Has(does Does) bool {
	return slices.ContainsFunc(p.Options, func(o Option) bool { return o.Does&does != 0 })
}

// prose are options whose argument is a text for people, of any program.
const prose = " -m --message --title --body --description --subject --comment --note --notes --reason --text --prompt --pattern --query --grep --search --filter "

// TakesProse reports whether the argument of an option is a text for people.
func TakesProse(option string) bool {
	return option != "" && strings.Contains(prose, " "+option+" ")
}

// TakesText reports whether the argument of an option, by its exact name, is a text or data.
func (p *Program) TakesText(option string) bool {
	o, listed := p.find(option)
	return listed && o.Name == option && o.Does&(Text|Data) != 0
}

// Acting returns the names of the row's options that an allow covers only if its pattern names them (D126).
func (p *Program) Acting() (names []string) {
	for _, o := range p.Options {
		if given := (Given{Does: o.Does}); !given.Acts() && (o.Does&Code == 0 || p.Runs&Language == 0) {
			continue
		}
		for field := range strings.FieldsSeq(o.Names) {
			if p.Is&Words != 0 || len(field) < 2 || field[0] != '-' || field[1] == '-' {
				names = append(names, field)
				continue
			}
			for _, letter := range field[1:] {
				names = append(names, "-"+string(letter))
			}
		}
	}
	return names
}
