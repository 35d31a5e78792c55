// Package call reads a tool's call: the tools that it may be (D87), and the commands, pipelines and
// paths in which a pattern is searched (D78). It uses package shell to parse commands, and reads
// the file system only for paths. It starts no process and decides nothing.
package call

import (
	"cmp"
	"errors"
	"fmt"
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
	Bash   bool     // the agent is documented to run commands in bash on this system (D97)
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
	// Searched means that PowerShell or cmd may run the text, which are not parsed, or
	// that it is typed into a program: its parts between separators are among Passages.
	Searched bool

	isShell bool            // one of the tool's names is a shell's
	read    []*shell.Reader // of each text
	unread  string          // why a text cannot be read; "" if all can
}

// Commands lists the commands of the call.
func (c *Call) Commands() *Commands {
	var all Commands
	texts, isShell, err := textsOf(c.Tools, c.Inputs)
	all.isShell, all.Texts, all.Unknown, all.unread = isShell, texts, cause(err), cause(err)
	posix, err := shell.CheckName(c.shell())
	all.Searched = len(texts) > 0 && (err != nil || isTyped(c.Own) || c.GOOS == "windows" && !c.Bash)
	for _, text := range texts {
		if strings.ContainsFunc(text, isKey) {
			const why = "the command has a control character, which a terminal may take for a key"
			all.Unknown, all.unread = cmp.Or(all.Unknown, why), cmp.Or(all.unread, why)
		}
		if all.Searched {
			passages, complete := parts(text)
			all.Passages = append(all.Passages, passages...)
			if !complete && all.Unknown == "" {
				all.Unknown = "the command has too many parts"
			}
		}
		if err != nil {
			continue
		}
		r := &shell.Reader{POSIX: posix, Bash: c.Bash, Variables: c.variables()}
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
		all.unread = cmp.Or(all.unread, cause(err))
		if err := errors.Join(err, listErr, handErr); err != nil && all.Unknown == "" {
			all.Unknown = cause(err)
		}
	}
	return &all
}

// Any reports whether the tool runs commands, or may run some.
func (c *Commands) Any() bool { return c.isShell || len(c.Texts) > 0 || c.Unknown != "" }

// isKey reports whether a terminal may take a character for a key that edits the
// line, such as Ctrl-C before a command in the input of write_stdin.
func isKey(c rune) bool { return unicode.IsControl(c) && !strings.ContainsRune("\t\n\v\f\r", c) }

// shell returns the shell that runs the commands; "" for bash.
func (c *Call) shell() string {
	for _, tool := range c.Own {
		if name := ShellOf(tool, c.Bash, c.GOOS); name != "" {
			return name
		}
	}
	if len(c.Own) == 0 {
		return ShellOf("", c.Bash, c.GOOS)
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

// maxSearched is the number of words of all passages in a text that is not parsed.
const maxSearched = 100_000

// parts splits a text of PowerShell or cmd at separators: each part as written, and
// without quotes from its first word and from each known program on. complete is
// false if there are too many.
func parts(source string) (lines []matcher.Passage, complete bool) {
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
				lines = append(lines, matcher.Passage{Text: written})
			}
			for at := range bare {
				if at > 0 && !shell.HandsOn(bare, at) { // cmd /c npm publish
					continue
				}
				if total += len(bare) - at; total > maxSearched {
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
func (c *Commands) Vouch(match func(line string) bool) error {
	switch {
	case c.Unknown != "":
		return errors.New(c.Unknown)
	case c.Searched:
		return errors.New("the text is for PowerShell or cmd, or typed into a program, and is only searched")
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
