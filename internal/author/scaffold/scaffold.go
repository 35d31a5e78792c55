// Package scaffold generates a new hook for its author to change: the HOOK.md, a script that
// answers its event, and two test cases.
//
// It is pure: it returns the files and their contents and does not access the disk. The caller
// decides where a hook is written, and checks whether its name is in use.
package scaffold

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/advice"
	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Options specifies the hook to generate. New checks it.
type Options struct {
	Name     string
	Trigger  spec.EventType
	Language string // one of Languages

	// Tool and Pattern are the matcher's regular expressions, for tool events
	// only; "" for none.
	Tool, Pattern string
	// Example is a text that Pattern matches, for the test cases. Without it,
	// one of a few usual texts, or Pattern read as plain text, must match.
	Example string
}

// File is one file of a hook's folder.
type File struct {
	Path       string // with slashes
	Data       []byte
	Executable bool
}

// Problem is an invalid option.
type Problem struct {
	Option  string // name, trigger, lang, tool, pattern or example
	Message string
	Instead string // a valid value; "" if none is known
	Likely  string // the probable meaning; "" if unknown
}

// Error returns the message.
func (p *Problem) Error() string { return p.Message }

// Hint returns a valid option, for the command line.
func (p *Problem) Hint() string {
	switch {
	case p.Instead != "" && p.Option == "name":
		return "agent-hooks new " + p.Instead
	case p.Instead != "":
		return fmt.Sprintf("did you mean --%s %s?", p.Option, p.Instead)
	case p.Option == "lang":
		return "--lang " + strings.Join(Languages(), "|")
	case p.Likely != "":
		return p.Likely
	}
	return "agent-hooks help new"
}

//go:embed templates
var templates embed.FS

// language describes the scripts of one language.
type language struct {
	name, file, extension string
}

var languages = [...]language{
	{"sh", "scripts/run.sh", "sh"},
	{"bash", "scripts/run.sh", "sh"},
	{"python", "scripts/run.py", "py"},
	{"node", "scripts/run", "js"},
}

// Languages returns the supported languages of scripts.
func Languages() []string {
	var names []string
	for _, l := range languages {
		names = append(names, l.name)
	}
	return names
}

func findLanguage(name string) (language, error) {
	for _, l := range languages {
		if l.name == name {
			return l, nil
		}
	}
	near, _ := near.Word(name, Languages())
	return language{}, &Problem{Option: "lang", Message: "unknown language " + quote(name), Instead: near}
}

// New returns the files of the hook, HOOK.md first. The error is a *Problem.
func New(o Options) ([]File, error) {
	if err := CheckName(o.Name); err != nil {
		return nil, err
	}
	l, err := findLanguage(o.Language)
	if err != nil {
		return nil, err
	}
	if !o.Trigger.Valid() {
		near, _ := near.Event(string(o.Trigger))
		return nil, &Problem{Option: "trigger", Message: "unknown event " + quote(string(o.Trigger)), Instead: string(near)}
	}
	c, err := newCall(o)
	if err != nil {
		return nil, err
	}
	h := &hook{Options: o, language: l, plan: planOf(o.Trigger), call: c}
	switch {
	case h.kind == guard && c.unselected.tool != "":
		h.kind, h.about = refuse, "Blocks the tool calls that its matcher selects."
	case h.kind == guard && c.shellOnly:
		h.kind, h.about = shell, h.about+" It reads commands as a shell does."
	}
	return []File{
		{"HOOK.md", []byte(h.manifest()), false},
		{l.file, []byte(h.script()), true},
		{"tests/fires.yaml", []byte(h.positive()), false},
		{"tests/passes.yaml", []byte(h.negative()), false},
	}, nil
}

// hook is the state for generating one hook.
type hook struct {
	Options
	language
	plan
	call
}

// compile compiles a matcher. Errors are a *Problem.
func compile(tool, pattern string) (*matcher.Matcher, error) {
	m, err := matcher.Compile(tool, pattern)
	var wrong *matcher.Error
	if errors.As(err, &wrong) {
		return nil, &Problem{Option: wrong.Part, Message: wrong.Error(), Likely: hint(wrong.Part, wrong.Source)}
	}
	return m, err
}

// hint returns the hint of validate for an expression that does not compile. It does not
// suggest leaving out --tool, which would select the default.
func hint(part, source string) string {
	all := strings.Trim(source, "*") == ""
	switch {
	case all && part == "tool":
		return "--tool '' is for every tool"
	case all:
		return "for any input, omit --pattern"
	}
	return cmp.Or(advice.Hint(part, source), "use the syntax of Python's re")
}
