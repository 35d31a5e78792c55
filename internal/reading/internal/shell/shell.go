// Package shell parses shell commands (D75): it lists the simple commands that
// a POSIX shell or bash would run for a text, with their words, redirections
// and positions in pipelines. It parses text with mvdan.cc/sh/v3/syntax, and
// also reads substitutions, here-documents for shells, eval, sh -c and programs
// that run other programs, such as sudo and xargs.
//
// It runs nothing and reads no files. It expands a variable only if the text
// determines its value. A word whose value only the shell can determine is
// marked as unknown. A command that cannot be read with certainty gives an
// *Unreadable error.
package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/parse"
)

// Limits above which a command counts as unreadable.
const (
	MaxText     = 128 << 10   // bytes of one text: the longest argument that Linux passes to sh -c
	maxBytes    = 4 * MaxText // of all texts, without their here-documents
	maxParsed   = 16 << 20    // bytes of one text with its here-documents
	maxCommands = 10000
	maxScanned  = 20000 // parts of texts that are not parsed
	maxDepth    = 30    // nested texts
	maxCopied   = 200000
)

// Command is one simple command. Words[0] is the program's name. There are no
// words if the command consists only of assignments or redirections.
type Command struct {
	Line      int        `json:"line"`      // its number, from 1
	Words     []string   `json:"words"`     // after quotes and braces are resolved
	Unknown   []int      `json:"unknown"`   // indexes of words whose value only the shell can determine; their text is the source
	Globs     []int      `json:"globs"`     // indexes of words with unquoted * ? [
	Assigns   []string   `json:"assigns"`   // NAME=value before the program's name
	Redirects []Redirect `json:"redirects"` // of the command, or of the enclosing group if there are no words
	Inside    int        `json:"inside"`    // the line of the command that contains or runs this one; 0 if none
	Pipeline  int        `json:"pipeline"`  // number of its pipeline; 0 if none
	Position  int        `json:"position"`  // position in the pipeline, from 1
	Reads     []int      `json:"reads"`     // the lines of the commands whose output it may read through pipes

	filled  []int           // indexes of words in which another program replaces a part
	more    bool            // another program appends arguments
	pieces  map[int][]Piece // of words with unknown parts, by index
	caller  int             // the line of the program that runs this one and has its words; 0 if none
	group   int             // index in Reader.groups
	places  []place         // in which it may run
	scanned bool            // it is in a text that was not parsed
	stands  bool            // for the shell that runs the output of commands, and not for a command
}

// Redirect is one redirection.
type Redirect struct {
	Op      string `json:"op"` // as written: > >> < <> >| &> &>> >& <& << <<- <<<
	Target  string `json:"target"`
	Unknown bool   `json:"unknown"`
	Text    string `json:"text"` // of a here-document

	pieces []Piece // of the target
}

// Item is a word of a for loop. Unknown and Glob are as in Command.
type Item struct {
	Text          string
	Unknown, Glob bool
}

// Pieces returns the parts of the target.
func (r *Redirect) Pieces() []Piece { return r.pieces }

// Unreadable is the reason why a call's command cannot be read at all.
type Unreadable struct{ Cause string }

// Error returns the cause.
func (u *Unreadable) Error() string { return u.Cause }

// Reader parses texts into one list of commands. The zero Reader parses bash.
type Reader struct {
	// POSIX selects the grammar of POSIX sh.
	POSIX bool
	// Bash means that bash reads the text, and not zsh, whose expansions differ
	// (D97).
	Bash bool
	// Commands are the commands read so far, even after an error.
	Commands []Command

	// Items are the words of the for loops read so far.
	Items []Item

	// Variables are the variables whose values are known before the text begins,
	// such as HOME and PWD.
	Variables map[string]string

	vars      variables
	possible  map[string][][]Piece // values that the text gives variables, in any order
	elsewhere map[string]bool      // variables that may have another value
	whole     string               // the texts that are in no other
	dark      bool                 // child shells may begin with functions
	where     where
	succeeded map[string]string // the variables after the last &&, if both of its sides succeeded
	globs     bool              // the text may change what globs match
	dash      bool              // another shell than bash may read the text
	evaluates bool              // an arithmetic expression is evaluated somewhere
	brackets  bool              // a literal has a bracket
	suspects  map[string]bool   // literals that it must not evaluate
	functions map[string]bool   // defined so far
	defined   map[string]bool   // functions in the texts so far, also before their definition is read
	path      bool              // PATH is assigned
	loops     int               // around the current command
	inputRead bool              // a shell in a function reads the function's input
	again     int               // loops that were read again
	turns     int               // of for loops
	expanded  int               // bytes of the values of variables
	aliases   map[string]word   // defined so far, with their texts
	notes     []Note
	marks     []Piece                  // what is unknown in texts
	now       syntax.Node              // the statement that is being read, of source
	scans     map[string]bool          // the parts of texts that were scanned
	overflow  bool                     // not even scanned
	body      int                      // commands before the body of the innermost function
	cut       bool                     // a function may read a part of its input before a shell does
	altered   map[syntax.WordPart]bool // parts that zsh may expand to any words

	handovers []handover
	undivided []Invocation
	fills     bool // a program completes the words of the text
	pipelines int
	groups    []group
	contents  map[string]string // of files that the text wrote, if it is literal
	copies    map[string]string // the names of the programs that files may be copies of
	running   []string          // the files whose content is being read
	pipes     bool              // a file may be a pipe
	repeats   bool              // a command may run after one that follows it in the text
	source    string            // the text being parsed
	depth     int               // nesting depth of texts
	parsed    int               // number of words from brace expansions
	copied    int               // words of all commands
	bytes     int               // of all texts
}

// site is the context of a command.
type site struct {
	inside, pipeline, position int
	reads                      []int
	input                      []word // here-documents of the command and the enclosing groups, and the literal output of echo before it
	printed                    bool   // that output is all that the pipe has
	more                       bool   // the program appends arguments that are unknown here

	group     int  // index in Reader.groups
	host      int  // the line of the command in whose words or redirections a substitution is; 0 if none
	redirects bool // it is in a redirection
}

// Read adds the commands of a shell text. The error is a *Note about a part that was not read, if
// there is one; the other parts are read.
func (r *Reader) Read(text string) error {
	text = withoutMarks(text)
	r.reading(text, func() { r.text(text, site{}) })
	return r.unread()
}

// reading runs read within the budget of the reader. What is left of a text when the budget ends
// is scanned.
func (r *Reader) reading(text string, read func()) {
	defer func() {
		r.now = nil
		switch p := recover(); p.(type) {
		case nil:
		case exhausted:
			r.note("it is too complex")
			r.scan(text, site{})
		default: // a mistake in reading must not let the command pass
			r.note("internal error: %v", p)
			r.scan(text, site{})
		}
	}()
	if r.vars.known == nil {
		r.vars = newVariables(r.Variables)
		r.where.here = append(r.where.here, nil)
	}
	r.dash = r.POSIX
	read()
	r.now = nil
	r.checkArithmetic()
}

// statement reads a statement: one command, a pipeline or a group.
func (r *Reader) statement(s *syntax.Stmt, at site) {
	outer := r.now
	r.now = s
	r.parts(s, at)
	r.now = outer
}

// parts reads the parts of a statement.
func (r *Reader) parts(s *syntax.Stmt, at site) {
	at.host = 0
	r.where.stay()
	if s.Negated {
		positive := *s
		positive.Negated = false
		r.condition(func() { r.statement(&positive, at) })
		r.where.ok, r.where.fail = r.where.fail, r.where.ok
		return
	}
	if s.Background || s.Coprocess || s.Disown {
		foreground := *s
		foreground.Background, foreground.Coprocess, foreground.Disown = false, false, false
		r.subshell(func() { r.statement(&foreground, at) })
		return
	}
	for _, redirect := range s.Redirs {
		r.expansions(redirect)
		if redirect.N != nil && strings.HasPrefix(redirect.N.Value, "{") {
			r.vars.forget(strings.Trim(redirect.N.Value, "{}"))
		}
	}
	if s.Cmd != nil {
		r.expansions(s.Cmd)
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		r.simple(c, s.Redirs, at)
		return
	case *syntax.BinaryCmd:
		if all := parse.Stages(c); all != nil {
			r.pipeline(all, at)
			return
		}
	}
	host := len(r.Commands) + 1
	if len(s.Redirs) > 0 {
		command := Command{}
		var input []word
		command.Redirects, input = r.redirects(s.Redirs)
		line := r.add(command, at)
		r.redirections(s.Redirs, at.within(line))
		at.group = r.newGroup(group{kind: redirected, parent: at.group, host: line})
		at.input = append(at.input[:len(at.input):len(at.input)], input...)
		at.reads = append([]int{}, at.reads...)
		for n := line + 1; n <= len(r.Commands); n++ { // the commands of <(...)
			at.reads, at.printed = append(at.reads, n), false
		}
	}
	if s.Cmd != nil {
		r.inner(s.Cmd, at)
	}
	if len(s.Redirs) > 0 {
		r.recordContent(s.Redirs, r.Commands[host-1], nil, r.Commands[host:]...)
	}
}

// within returns the site of commands that a command contains.
func (at site) within(line int) site {
	return site{inside: line, reads: at.reads, group: at.group, host: line}
}

// redirections reads the commands in redirections.
func (r *Reader) redirections(redirs []*syntax.Redirect, at site) {
	at.redirects = true
	for _, redirect := range redirs {
		r.inner(redirect, at)
	}
}

// pipeline reads the stages of a pipeline.
func (r *Reader) pipeline(all []*syntax.Stmt, at site) {
	r.pipelines++
	number, touched := r.pipelines, r.vars.touched
	r.vars.touched = map[string]bool{}
	input, outer := at.input, at.group
	var last []place // after the last stage, which some shells run themselves
	for i, stage := range all {
		at.pipeline, at.position = number, i+1
		at.group = r.newGroup(group{kind: stageOf, parent: outer, number: number, stage: i + 1, last: i+1 == len(all)})
		before := len(r.Commands)
		r.subshell(func() {
			r.statement(stage, at)
			last = union(r.where.ok, r.where.fail)
		})
		at.reads = append([]int{}, at.reads...)
		for line := before + 1; line <= len(r.Commands); line++ {
			at.reads = append(at.reads, line)
		}
		at.input = input
		var text string
		text, at.printed = r.output(stage, before)
		if at.printed {
			at.input = append(input[:len(input):len(input)], word{text: text, since: len(r.Commands)})
		}
	}
	names := r.vars.touched
	r.vars.touched = touched
	r.where.here = union(r.where.here, last)
	r.where.stay()
	for name := range names { // some shells run the last stage themselves
		r.vars.forget(name)
	}
}

// output returns the text that a stage of a pipeline prints if it is only echo
// or printf with words that the text determines. Its command is the first after
// the number before.
func (r *Reader) output(s *syntax.Stmt, before int) (text string, ok bool) {
	if c, ok := s.Cmd.(*syntax.CallExpr); !ok || len(s.Redirs)+len(c.Assigns) > 0 || len(r.Commands) != before+1 {
		return "", false
	}
	return r.prints(&r.Commands[before])
}

// prints returns the text that a command prints if it is only echo or printf with
// words that the text determines.
func (r *Reader) prints(c *Command) (text string, ok bool) {
	if len(c.Unknown)+len(c.Globs)+len(c.filled) > 0 || len(c.Words) < 2 || r.functions[c.Words[0]] {
		return "", false
	}
	args := c.Words[1:]
	switch c.Words[0] {
	case "echo":
		if strings.Trim(args[0], "-neE") == "" {
			args = args[1:] // some shells print it too, which hides no command
		}
		text = strings.Join(args, " ") + "\n"
		return text, !strings.Contains(text, `\`)
	case "printf":
		format := strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(args[0])
		if strings.ContainsAny(strings.ReplaceAll(format, "%s", ""), `%\`) || strings.Count(format, "%s") != len(args)-1 || strings.HasPrefix(format, "-") {
			return "", false
		}
		for _, a := range args[1:] {
			before, after, _ := strings.Cut(format, "%s")
			text, format = text+before+a, after
		}
		return text + format, true
	}
	return "", false
}

// simple reads a simple command with its redirections.
func (r *Reader) simple(c *syntax.CallExpr, redirs []*syntax.Redirect, at site) {
	var words, whole []word
	for _, arg := range c.Args {
		all := r.words(arg)
		words = append(words, all...)
		if !r.Bash && slices.ContainsFunc(all, func(w word) bool { return w.divided }) {
			outputs := slices.ContainsFunc(arg.Parts, parse.IsOutput) // which zsh divides
			if outputs && slices.ContainsFunc(arg.Parts, func(p syntax.WordPart) bool { _, ok := parse.Variable(p); return ok }) {
				r.note("zsh and bash may divide %s differently", excerpt(r.slice(arg)))
			}
			if !outputs {
				all = []word{r.join(arg.Parts)}
			}
		}
		whole = append(whole, all...)
	}
	var located []word // the command if the substitution in its place prints nothing
	if len(words) > 0 && words[0].unknown {
		if name, ok := r.located(c.Args[0]); ok {
			if words[0].splits && len(words) > 1 && !strings.HasPrefix(words[1].text, "-") {
				located = words[1:]
			}
			words[0] = word{text: name}
		}
	}
	command := Command{}
	var input []word
	command.Redirects, input = r.redirects(redirs)
	for _, a := range c.Assigns {
		command.Assigns = append(command.Assigns, r.slice(a))
	}
	line := at.inside
	if len(words)+len(redirs)+len(command.Assigns) > 0 {
		command.set(words)
		line = r.add(command, at)
		if len(whole) != len(words) {
			other := Command{}
			other.set(whole)
			r.undivided = append(r.undivided, Invocation{Words: other.Words, Pieces: other.pieces, Command: line - 1})
		}
	}
	r.inner(c, at.within(line))
	if len(words)+len(redirs) > 0 {
		known := input
		if len(known) == 0 && at.printed {
			known = at.input
		}
		r.recordContent(redirs, r.Commands[line-1], known)
	}
	if len(redirs) > 0 {
		r.redirections(redirs, at.within(line))
		at.group = r.newGroup(group{kind: redirected, parent: at.group, host: line})
	}
	for _, a := range c.Assigns {
		if len(words) > 0 && words[0].text == "read" && a.Name.Value == "IFS" {
			continue // only for read
		}
		onlyFor := len(words) > 0 && words[0].text != ":" && !r.functions[words[0].text] && !slices.Contains(builtins[:], words[0].text)
		r.assign(a, len(c.Args) > 0, onlyFor)
	}
	if len(words) > 0 {
		at.input = append(at.input[:len(at.input):len(at.input)], input...)
		for n := line + 1; n <= len(r.Commands) && parse.ReadsProcess(redirs); n++ {
			at.reads, at.printed = append(at.reads[:len(at.reads):len(at.reads)], n), false
		}
		r.run(words, line, at)
	}
	r.move(words)
	if len(located) > 0 {
		r.call(located, nil, at)
	}
}

// located returns NAME for $(which NAME) and $(command -v NAME).
func (r *Reader) located(w *syntax.Word) (name string, ok bool) {
	words, name := parse.Located(w)
	return name, words != nil && !r.vars.opaque && !r.functions[words[0]] && !r.functions[name]
}

// call adds a command that another command runs.
func (r *Reader) call(words []word, assigns []string, at site) {
	if text := words[0].text; len(text) > 1 && text[0] == '-' && !words[0].unknown { // an option of a program that runs others, read as its command
		r.note("the command word %s may be an option", excerpt(text))
	}
	command := Command{Assigns: assigns, more: at.more, caller: at.inside}
	command.set(words)
	r.run(words, r.add(command, at), at)
}

// declaration reads declare, export and similar builtins, which have their own
// grammar.
func (r *Reader) declaration(d *syntax.DeclClause, at site) {
	words := []word{{text: d.Variant.Value}}
	for _, a := range d.Args {
		if a.Naked && a.Value != nil {
			words = append(words, r.words(a.Value)...)
			continue
		}
		w := word{text: r.slice(a), unknown: a.Array != nil}
		if a.Value != nil {
			r.mayBe(a.Name.Value, r.value(a.Value))
			value := r.word(a.Value)
			w = word{text: a.Name.Value + "=" + value.text, unknown: value.unknown}
			w.plain = !value.splits || !slices.ContainsFunc(value.parts(), func(p Piece) bool { return p.Kind != Literal && p.Is == Undetermined })
		}
		words = append(words, w)
	}
	command := Command{}
	command.set(words)
	line := r.add(command, at)
	for _, a := range d.Args {
		r.inner(a, at.within(line))
	}
	for _, a := range d.Args {
		if a.Name != nil {
			r.vars.taint(a.Name.Value)
		}
	}
	r.run(words, line, at)
}

func (r *Reader) add(c Command, at site) int {
	if len(r.Commands) >= maxCommands {
		panic(exhausted{})
	}
	r.copied += len(c.Words) + len(at.reads)
	if r.copied > maxCopied {
		panic(exhausted{})
	}
	c.Line, c.Inside, c.Pipeline, c.Position, c.Reads = len(r.Commands)+1, at.inside, at.pipeline, at.position, at.reads
	c.group, c.places = at.group, r.where.here
	r.Commands = append(r.Commands, c)
	return c.Line
}

// set sets the words of a command.
func (c *Command) set(words []word) {
	c.Words = []string{}
	for i, w := range words {
		c.Words = append(c.Words, w.text)
		if w.unknown {
			c.Unknown = append(c.Unknown, i)
		}
		if w.glob {
			c.Globs = append(c.Globs, i)
		}
		if w.filled {
			c.filled = append(c.filled, i)
		}
		if w.unknown || w.glob || w.filled {
			if w.pieces == nil || w.filled {
				w.pieces = []Piece{{Text: w.text, Kind: Unquoted}}
			}
			if c.pieces == nil {
				c.pieces = map[int][]Piece{}
			}
			c.pieces[i] = w.pieces
		}
	}
}

// redirects returns redirections, and the here-documents among them.
func (r *Reader) redirects(redirs []*syntax.Redirect) (all []Redirect, input []word) {
	for _, redirect := range redirs {
		target := r.word(redirect.Word)
		one := Redirect{Op: redirect.Op.String(), Target: target.text, Unknown: target.unknown || target.glob, pieces: target.parts()}
		switch {
		case redirect.Op == syntax.WordHdoc:
			text := r.join(redirect.Word.Parts)
			text.glob, text.since = false, len(r.Commands)+1
			input = append(input, text)
		case redirect.Hdoc != nil:
			text := r.hereDocument(redirect)
			one.Text, text.since = r.unmarked(text.text), len(r.Commands)+1
			input = append(input, text)
		}
		all = append(all, one)
	}
	return all, input
}
