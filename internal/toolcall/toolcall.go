// Package toolcall lists the commands and the paths of a tool's call, in which a
// pattern is searched (D78). It uses package shell to parse commands, and reads
// the file system only for paths. It starts no process and decides nothing.
package toolcall

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/shell"
	"github.com/agent-hooks/agent-hooks/matcher"
)

// Call is a call of a tool.
type Call struct {
	Own    []string // the names of the tool that the caller sent
	Tools  []string // all of its names
	Inputs [][]byte // its input; several if the caller repeated the key
	Agent  string   // the calling agent; "" if it is not known
	GOOS   string

	Home    string // the user's home directory
	Dir     string // the directory in which the call works, absolute
	Project string // absolute
}

// Commands are the commands of a call.
type Commands struct {
	Texts    []string // the shell texts in the call
	Passages []matcher.Passage
	// Unknown is the reason why there may be commands that Passages lacks; "" if
	// there are none.
	Unknown string
	// Searched means that the text is not parsed, because PowerShell or cmd runs
	// it: Passages are its parts between separators.
	Searched bool

	read []*shell.Reader // of each text
}

// Commands lists the commands of the call.
func (c *Call) Commands() *Commands {
	var all Commands
	texts, _, err := shell.Texts(c.Tools, c.Inputs)
	all.Texts, all.Unknown = texts, cause(err)
	name := c.shell()
	posix, err := shell.CheckName(name)
	for _, text := range texts {
		if strings.ContainsFunc(text, isKey) && all.Unknown == "" {
			all.Unknown = "the command has a control character, which a terminal may take for a key"
		}
		if err != nil {
			all.Searched = true
			all.Passages = append(all.Passages, parts(text)...)
			continue
		}
		r := &shell.Reader{POSIX: posix, Variables: c.variables()}
		err := r.Read(text)
		lines, listErr := r.Invocations()
		all.read = append(all.read, r)
		handed, handErr := r.Handed()
		for _, l := range append(lines, handed...) {
			passage, complete := passageOf(l)
			all.Passages = append(all.Passages, passage)
			if !complete && all.Unknown == "" {
				all.Unknown = fmt.Sprintf("a command has more than %d leading options", maxOptions)
			}
		}
		if err := errors.Join(err, listErr, handErr); err != nil && all.Unknown == "" {
			all.Unknown = cause(err)
		}
	}
	return &all
}

// isKey reports whether a terminal may take a character for a key that edits the
// line, such as Ctrl-C before a command in the input of write_stdin.
func isKey(c rune) bool { return unicode.IsControl(c) && !strings.ContainsRune("\t\n\v\f\r", c) }

// shell returns the shell that runs the commands; "" for bash.
func (c *Call) shell() string {
	for _, tool := range c.Own {
		if name := shell.ForEvent(tool, c.Agent, c.GOOS); name != "" {
			return name
		}
	}
	if len(c.Own) == 0 {
		return shell.ForEvent("", c.Agent, c.GOOS)
	}
	return ""
}

// variables returns the variables whose values are known before a command runs.
func (c *Call) variables() map[string]string {
	known := map[string]string{}
	if c.Home != "" {
		known["HOME"] = c.Home
	}
	if c.Dir != "" && len(c.directories()) == 0 {
		known["PWD"] = c.Dir
	}
	return known
}

// directories returns the directories that the input gives for the call.
func (c *Call) directories() (dirs []string) {
	for _, input := range c.Inputs {
		_ = rawjson.Members(input, func(key string, value []byte) bool {
			if text, ok := rawjson.Text(value); ok && text != "" && isDirectory(key) {
				dirs = append(dirs, text)
			}
			return true
		})
	}
	return dirs
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

// parts splits a text of PowerShell or cmd at separators.
func parts(source string) (lines []matcher.Passage) {
	for _, part := range strings.FieldsFunc(source, func(r rune) bool { return strings.ContainsRune(";|&\r\n{}()", r) }) {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		line := matcher.Passage{Text: strings.Join(words, " ")}
		bare := strings.Fields(strings.NewReplacer(`"`, "", "'", "", "`", "", "^", "").Replace(part))
		if len(bare) > 2 && strings.HasPrefix(bare[0], "$") && bare[1] == "=" { // $result = npm publish
			bare = bare[2:]
		}
		if len(bare) > 0 {
			base := shell.Invocation{Words: bare}.Base()
			bare = slices.Clone(base.Words)
			bare[0] = strings.ToLower(bare[0])
			if other := strings.Join(bare, " "); other != line.Text {
				line.Lines = []matcher.Line{matcher.KnownLine(line.Text), matcher.KnownLine(other)}
			}
		}
		lines = append(lines, line)
		for at := range bare { // cmd /c npm publish
			if shell.HandsOn(bare, at) {
				lines = append(lines, matcher.Passage{Text: strings.ToLower(bare[at]) + " " + strings.Join(bare[at+1:], " ")})
			}
		}
	}
	return lines
}

// Vouch returns nil if an allow may vouch for all commands of the call, whose
// lines match accepts, otherwise the reason why not.
func (c *Commands) Vouch(match func(line string) bool) error {
	switch {
	case c.Unknown != "":
		return errors.New(c.Unknown)
	case c.Searched:
		return errors.New("PowerShell and cmd are not parsed")
	case len(c.Texts) == 0:
		return errors.New("the call has no command")
	}
	for _, text := range c.Texts {
		if err := shell.Vouch(text, match); err != nil {
			return fmt.Errorf("an allow cannot vouch for the command: %w", err)
		}
	}
	return nil
}
