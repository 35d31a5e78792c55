// Package reading reads a tool's call: the tools that it may be (D87), and the commands, pipelines and
// paths in which a pattern is searched (D78, D95). It reads the
// file system only for paths. It starts no process and decides nothing.
package reading

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
	"github.com/agent-hooks/agent-hooks/internal/reading/passage"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Call is a call of a tool. Each fact is determined when it is first needed, and once. Not safe
// for concurrent use.
type Call struct {
	Around
	Sent
	Tools []string // all of its names (D17)

	input    *reading
	guess    *Guess
	guessed  bool // guess is determined
	commands *Commands
	uses     *uses
	found    map[search]found
	names    string // Tools, as a list
}

// Sent is what the caller says of a call.
type Sent struct {
	Own       []string      // the names of the tool that the caller sent
	Canonical []string      // what the calling agent's table says they are
	Input     []byte        // the tool's input
	Inputs    [][]byte      // several if the caller repeated the key
	Before    bool          // the tool has not run yet
	Unread    func() string // why the input cannot be read; "" if it can
}

// Names returns the names of the tool as a list.
func (c *Call) Names() string {
	if c.names == "" {
		c.names = strings.Join(c.Tools, ", ")
	}
	return c.names
}

// search selects what a pattern is searched in.
type search struct {
	match  spec.Match
	access spec.Access
	marked bool
}

// Around is what the facts about a call depend on besides its event.
type Around struct {
	Declared map[string]string // the tools that the user declared, by their names
	Bash     bool              // the agent is documented to run commands in bash on this system (D97)
	GOOS     string
	Home     string // the user's home directory
	Dir      string // the directory in which the call works, absolute
	Project  string // absolute
}

// found are the passages in which a pattern is searched. unknown is the reason why
// there may be others; "" if there are none.
type found struct {
	passages []passage.Passage
	unknown  string
}

// Of returns a call of a tool.
func Of(sent Sent, around Around) *Call {
	c := &Call{Around: around, Sent: sent}
	for _, name := range append(slices.Clip(c.Own), c.Canonical...) {
		c.Tools = append(c.Tools, spec.ToolNames(name)...)
	}
	if len(around.Declared) == 0 {
		return c
	}
	for _, name := range slices.Clip(c.Tools) {
		if tool := around.Declared[name]; tool != "" && !slices.Contains(c.Tools, tool) {
			c.Tools = append(c.Tools, spec.ToolNames(tool)...)
		}
	}
	return c
}

// Passages returns what a pattern is searched in (D78, D95): the commands, the
// pipelines, or the paths of the call, those with an access if it is not 0. unknown is
// the reason why there may be others; "" if there are none. marked selects the marked form of commands
// alone (D128).
func (c *Call) Passages(match spec.Match, access spec.Access, marked bool) (passages []passage.Passage, unknown string) {
	of := search{match, access, marked}
	if f, known := c.found[of]; known {
		return f.passages, f.unknown
	}
	if marked {
		passages, unknown = c.Passages(match, access, false)
		passages = slices.Clone(passages)
		for i, p := range passages {
			if p.Marked != nil {
				passages[i].Lines = p.Marked
			}
		}
		c.found[of] = found{passages, unknown}
		return passages, unknown
	}
	var f found
	switch match {
	case spec.Commands:
		f = found{c.Commands().Passages, c.Commands().Unknown}
	case spec.Pipelines:
		f.passages, f.unknown = c.Commands().Pipelines()
	case spec.Paths:
		f.passages, f.unknown = c.Paths(access)
	default:
		f.unknown = "metadata.match has an unknown value"
	}
	f.unknown = cmp.Or(c.Unread(), f.unknown)
	if c.found == nil {
		c.found = map[search]found{}
	}
	c.found[of] = f
	return f.passages, f.unknown
}

// Paths lists the paths of the call: those that it uses in one of the ways of an
// access, each under one name (D95), or, if access is 0, those that it names, in every
// form (D78). unknown is as in Passages.
func (c *Call) Paths(access spec.Access) (lines []passage.Passage, unknown string) {
	if access == 0 {
		return c.everyPath()
	}
	return c.used().passages(access)
}

// reading returns what the inputs have.
func (c *Call) reading() *reading {
	if c.input == nil {
		isShell, _ := kindOf(c.Tools)
		c.input = readInput(c.Inputs, isShell)
	}
	return c.input
}

// Guess returns what the keys of the input say, nil if the tables suffice.
func (c *Call) Guess() *Guess {
	if !c.guessed {
		c.guess, c.guessed = guessOf(c), true
	}
	return c.guess
}

// Commands are the commands of a call.
type Commands struct {
	Texts    []string // the shell texts in the call
	Passages []passage.Passage
	// Unknown is the reason why there may be commands that Passages lacks; "" if
	// there are none.
	Unknown string
	// Searched means that PowerShell or cmd may run the text, which are not parsed, or
	// that it is typed into a program: its parts between separators are among Passages.
	Searched bool

	isShell bool     // one of the tool's names is a shell's
	bash    bool     // bash reads the texts, and not zsh (D97)
	read    []parsed // each text
	unread  string   // why a text cannot be read; "" if all can
}

// parsed is a shell text that was read. lines are the invocations in it, and handed are
// what its programs may run of their operands (D98).
type parsed struct {
	*shell.Reader
	lines, handed []shell.Invocation
}

// Commands returns the commands of the call.
func (c *Call) Commands() *Commands {
	if c.commands == nil {
		c.commands = c.readCommands()
	}
	return c.commands
}

// shellTexts returns the shell texts in the call, as ReadEvent finds them, each once.
func (c *Call) shellTexts() (texts []string, isShell bool, err error) {
	isShell, known := kindOf(c.Tools)
	if known {
		return nil, false, nil
	}
	if len(c.Inputs) == 0 {
		return nil, isShell, &shell.Unreadable{Cause: "the event has no command"}
	}
	found, err := c.reading().shellTexts(isShell, isTyped(c.Tools))
	for _, text := range found {
		text = strings.ToValidUTF8(text, "\ufffd")
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts, isShell, err
}

func (c *Call) readCommands() *Commands {
	var all Commands
	texts, isShell, err := c.shellTexts()
	all.isShell, all.Texts, all.Unknown, all.unread = isShell, texts, cause(err), cause(err)
	all.bash = c.Bash
	posix, err := shell.CheckName(c.shell())
	all.Searched = len(texts) > 0 && (err != nil || isTyped(c.Own) || c.GOOS == "windows" && !c.Bash)
	for _, source := range texts {
		if len(source) > spec.MaxSearched { // as for values
			all.tooLong(source)
			continue
		}
		if strings.ContainsFunc(source, isKey) {
			const why = "the command has a control character, which a terminal may take for a key"
			all.Unknown, all.unread = cmp.Or(all.Unknown, why), cmp.Or(all.unread, why)
		}
		if all.Searched {
			passages, complete := parts(source)
			all.Passages = append(all.Passages, passages...)
			if !complete && all.Unknown == "" {
				all.Unknown = "the command has too many parts"
			}
		}
		if err != nil {
			continue
		}
		r := &shell.Reader{POSIX: posix, Bash: c.Bash, Variables: c.variables()}
		err := r.Read(source)
		lines, listErr := r.Invocations(), r.Unlisted()
		handed, handErr := r.Handed()
		all.read = append(all.read, parsed{r, lines, handed})
		for _, l := range slices.Concat(lines, handed, r.Undivided()) {
			passage, complete := passageOf(l)
			all.Passages = append(all.Passages, passage)
			if !complete && all.Unknown == "" {
				all.Unknown = fmt.Sprintf("a command has more than %d leading options", maxOptions)
			}
		}
		all.unread = cmp.Or(all.unread, cause(err))
		if r.Overflow() {
			all.tooLong(source)
		}
		all.Unknown = cmp.Or(all.Unknown, cause(err), cause(listErr), cause(handErr))
	}
	return &all
}

// tooLong records a text that is too long even to be searched: it may have any command.
func (c *Commands) tooLong(source string) {
	const why = "the command is too long to be read"
	c.Unknown, c.unread = cmp.Or(c.Unknown, why), cmp.Or(c.unread, why)
	c.Passages = append(c.Passages, passage.Passage{Text: shown.Short(source), Counts: why})
}

// Any reports whether the tool runs commands, or may run some.
func (c *Commands) Any() bool { return c.isShell || len(c.Texts) > 0 || c.Unknown != "" }

// isKey reports whether a terminal may take a character for a key that edits the
// line, such as Ctrl-C before a command in the input of write_stdin.
func isKey(c rune) bool { return unicode.IsControl(c) && !strings.ContainsRune("\t\n\v\f\r", c) }

// shell returns the shell that runs the commands; "" for bash.
func (c *Call) shell() string {
	for _, tool := range c.Own {
		if name := shellOf(tool, c.Bash, c.GOOS); name != "" {
			return name
		}
	}
	if len(c.Own) == 0 {
		return shellOf("", c.Bash, c.GOOS)
	}
	return ""
}

// variables returns the variables whose values are known before a command runs.
func (c *Call) variables() map[string]string {
	known := map[string]string{}
	if c.Home != "" {
		known["HOME"] = c.Home
	}
	if c.Dir != "" && len(c.reading().Dirs) == 0 {
		known["PWD"] = c.Dir
	}
	return known
}

// isDirectory reports whether a key of an input names the directory of its call.
func isDirectory(key string) bool {
	switch strings.ToLower(key) {
	case "workdir", "work_dir", "cwd", "working_directory", "dir_path", "directory", "dir":
		return true
	}
	return false
}

// cause returns why a text cannot be read, on one line.
func cause(err error) string {
	if err == nil {
		return ""
	}
	return "the command cannot be read for certain: " + strings.Join(strings.Fields(err.Error()), " ")
}

// maxSearched is the number of words of all passages in a text that is not parsed.
const maxSearched = 100_000

// parts splits a text of PowerShell or cmd at separators: each part as written, and
// without quotes from its first word and from each known program on. complete is
// false if there are too many.
func parts(source string) (lines []passage.Passage, complete bool) {
	source = strings.NewReplacer("`\r\n", " ", "`\n", " ", "^\r\n", "", "^\n", "").Replace(source) // continued lines
	total := 0
	for _, part := range strings.FieldsFunc(source, func(r rune) bool { return strings.ContainsRune(";|&\r\n{}()", r) }) {
		pieces := []string{part}
		if strings.Contains(part, "=") { // $result = npm publish
			pieces = append(pieces, strings.Split(part, "=")...)
		}
		for _, piece := range pieces {
			written := strings.Join(strings.Fields(piece), " ")
			bare := strings.Fields(strings.NewReplacer(`"`, "", "'", "", "`", "", "^", "").Replace(piece))
			if written != "" && written != strings.Join(bare, " ") {
				lines = append(lines, passage.Passage{Text: written})
			}
			for at := range bare {
				if at > 0 && !shell.HandsOn(bare, at) { // cmd /c npm publish
					continue
				}
				total += len(bare) - at
				if total > maxSearched {
					return lines, false
				}
				line, all := passageOf(shell.Invocation{Words: bare[at:]})
				if !all {
					return lines, false
				}
				lines = append(lines, line)
			}
		}
	}
	return lines, true
}

// Vouch returns nil if an allow may vouch for all commands of the call, whose
// lines match accepts, otherwise the reason why not.
func (c *Commands) Vouch(match func(line passage.Line) bool) error {
	switch {
	case c.Unknown != "":
		return errors.New(c.Unknown)
	case c.Searched:
		return errors.New("the text is for PowerShell or cmd, or typed into a program, and is only searched")
	case len(c.Texts) == 0:
		return errors.New("the call has no command")
	}
	for _, text := range c.Texts {
		if err := shell.Vouch(text, c.bash, func(l shell.Invocation) bool { return match(written(l)) }); err != nil {
			return fmt.Errorf("an allow cannot vouch for the command: %w", err)
		}
	}
	return nil
}
