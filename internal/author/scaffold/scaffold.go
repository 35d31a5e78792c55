// Package scaffold generates a new hook for its author to change: the HOOK.md, a script that
// answers its event unless the HOOK.md is the answer, and two test cases. Write writes them.
package scaffold

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/advice"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Options specifies the hook to generate. New checks it.
type Options struct {
	Name    string
	Trigger spec.EventType

	// Tool and Pattern are the matcher's regular expressions, for tool events
	// only; "" for none.
	Tool, Pattern string
	// Example is a text that Pattern matches, for the test cases. Without it,
	// one of a few usual texts, or Pattern read as plain text, must match.
	Example string

	Language string // of the script, one of Languages

	// Decision is deny, ask or allow for a hook without a script, whose HOOK.md is its answer
	// to a tool call (D77). What an allow permits, Pattern matches as a whole.
	Decision string
	Match    string // commands, paths or values; "" means paths for tools that use files, otherwise commands
	Reason   string // "" means one that names the hook

	marked bool // the pattern is for the marked form of commands (D128)

	Judge bool // the script asks a model (D79); it is in sh, or in python if Language is
}

// Problem is an invalid option.
type Problem struct {
	Option  string // name, trigger, lang, tool, pattern, example, match or the decision
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

// Languages returns the supported languages of scripts.
func Languages() []string { return []string{"sh", "bash", "python", "node"} }

// New returns the files of the hook, HOOK.md first. The error is a *Problem.
func New(o Options) ([]state.File, error) {
	if err := CheckName(o.Name); err != nil {
		return nil, err
	}
	if o.Decision != "" {
		return newAnswer(o)
	}
	if !o.Judge && !slices.Contains(Languages(), o.Language) {
		near, _ := shown.Near(o.Language, Languages())
		return nil, &Problem{Option: "lang", Message: "unknown language " + quote(o.Language), Instead: near}
	}
	if !o.Trigger.Valid() {
		near, _ := shown.NearEvent(string(o.Trigger))
		return nil, &Problem{Option: "trigger", Message: "unknown event " + quote(string(o.Trigger)), Instead: string(near)}
	}
	c, err := newCall(o)
	if err != nil {
		return nil, err
	}
	d := newDraft(o)
	if o.Judge {
		return d.judge(c), nil
	}
	return d.script(c)
}

// draft holds what the templates of a new hook contain.
type draft struct {
	Options
	features []string
	values   map[string]string
}

func newDraft(o Options) *draft {
	info, _ := spec.Info(o.Trigger)
	d := &draft{Options: o, features: []string{string(o.Trigger), string(info.Timing)}}
	d.values = map[string]string{"name": o.Name, "trigger": string(o.Trigger), "when": info.When, "means": info.Block, "tool": o.Tool, "pattern": o.Pattern}
	d.mark("tool", o.Tool != "")
	d.mark("pattern", o.Pattern != "")
	return d
}

// mark adds a feature if the hook has it.
func (d *draft) mark(feature string, has bool) {
	if has {
		d.features = append(d.features, feature)
	}
}

// file returns a file of the hook. Scripts are executable.
func (d *draft) file(path, template string) state.File {
	return state.File{Path: path, Data: render(template, d.features, d.values), Executable: strings.HasPrefix(path, "scripts/")}
}

// plan is the initial behavior of a script on its event.
type plan struct {
	Kind  string // see kinds below
	About string // the description
	Key   string // a key of the event
	Word  string // searched for in the value of Key
	Gives string // the kind of answer: block, context (for the model) or message (for the user)
	Says  string // the answer's text

	Fires, Passes string // values of Key with and without Word, for the test cases
}

// The kinds of script.
const (
	shell  = "shell"  // blocks a program that a shell command runs
	guard  = "guard"  // blocks tool calls with a text in their input
	refuse = "refuse" // blocks every call that the matcher selects
	words  = "words"  // searches the event for a text
	notes  = "notes"  // gives NOTES.md to the model
	_      = "todo"   // searches TODO.md for open items
)

// script returns the files of a hook with a script.
func (d *draft) script(c call) ([]state.File, error) {
	file, template := "scripts/run.sh", "run.sh"
	switch d.Language {
	case "sh":
		d.values["shebang"], d.values["set"] = "#!/bin/sh", "set -eu"
	case "bash":
		d.values["shebang"], d.values["set"] = "#!/usr/bin/env bash", "set -euo pipefail"
	case "python":
		file, template = "scripts/run.py", "run.py"
	case "node":
		file, template = "scripts/run", "run.js"
	}
	var plans map[spec.EventType]plan
	source, _ := templates.ReadFile("templates/events.json")
	if err := json.Unmarshal(source, &plans); err != nil {
		return nil, err
	}
	p := plans[d.Trigger]
	switch {
	case p.Kind == guard && c.unselected.tool != "":
		p.Kind, p.About = refuse, "Blocks the tool calls that its matcher selects."
	case p.Kind == guard && c.shellOnly:
		p.Kind, p.About = shell, p.About+" It reads commands as a shell does."
	}
	p.cases(c, d.Trigger, d.values)
	program, argument, _ := strings.Cut(p.Word, " ")
	maps.Copy(d.values, map[string]string{
		"file": file, "about": p.About, "description": p.About, "key": p.Key, "word": p.Word,
		"program": program, "argument": argument, "says": p.Says, "said": firstWords(p.Says),
	})
	d.features = append(d.features, p.Kind, p.Gives)
	d.mark("answer", p.Kind == notes || p.Gives == "context" || p.Gives == "message")
	d.mark("stop", d.Trigger == spec.PreAgentTurnStop)
	return []state.File{d.file("HOOK.md", "HOOK.md"), d.file(file, template), d.file("tests/fires.yaml", "fires.yaml"), d.file("tests/passes.yaml", "passes.yaml")}, nil
}

// cases sets the events of both test cases and the word that a guard searches for.
func (p *plan) cases(c call, trigger spec.EventType, values map[string]string) {
	switch {
	case p.Kind == guard || p.Kind == shell:
		p.Word = c.forbidden
		values["fires"], values["passes"] = toolEvent(c.tool, c.forbidden), toolEvent(c.tool, c.harmless)
	case p.Kind == refuse:
		values["fires"], values["passes"] = toolEvent(c.tool, c.text), toolEvent(c.unselected.tool, c.unselected.text)
	case p.Kind != words:
		values["fires"], values["passes"] = "", ""
	default:
		begin := "patch:  # changes to the sample event\n"
		if trigger.IsTool() {
			begin = toolEvent(c.tool, c.text)
		}
		values["fires"], values["passes"] = begin+property(p.Key, p.Fires), begin+property(p.Key, p.Passes)
	}
}

// firstWords returns the beginning of a text, without characters that are special in regular
// expressions or YAML.
func firstWords(text string) string {
	if end := strings.IndexAny(text, ".;,:"); end >= 0 {
		return text[:end]
	}
	return text
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

// judge returns the files of a hook that asks a model (D79).
func (d *draft) judge(c call) []state.File {
	d.values["about"], d.values["event"], d.values["asked"] = "Asks a model "+d.values["when"]+".", "", string(d.Trigger)
	switch {
	case d.Trigger.IsTool():
		d.mark("tool-event", true)
		quoted := tree.JSON(c.text)
		d.values["event"], d.values["asked"] = toolEvent(c.tool, c.text), regexp.QuoteMeta(quoted[1:len(quoted)-1])
	case d.Trigger == spec.PreAgentTurnStop || d.Trigger == spec.PostSubagent:
		d.values["event"] = "patch:  # changes to the sample event\n  last_message: It should work now.\n"
		d.values["asked"] = "It should work now"
	}
	script := d.file("scripts/run.sh", "judge.sh")
	if d.Language == "python" {
		script = d.file("scripts/run.py", "judge.py")
	}
	files := []state.File{d.file("HOOK.md", "judge.md"), d.file("prompt.md", "judge-prompt.md"), script}
	for _, one := range [][2]string{{"fires", "objects"}, {"passes", "agrees"}, {"fails", "babbles"}} {
		d.features = []string{one[1]}
		files = append(files, d.file("tests/"+one[0]+".yaml", "judge-case.yaml"))
	}
	return files
}

//go:embed templates
var templates embed.FS

// render fills in a template. The lines between "@if a b" and "@end" are for hooks with one of
// these features, those after "@else" for hooks without. @key@ is the value of a key, and @'key'@
// the value as YAML.
//
// No value can end a string or a comment of a script: they are constants of this package, or a
// checked name.
func render(template string, features []string, values map[string]string) []byte {
	text, _ := templates.ReadFile("templates/" + template)
	var b strings.Builder
	conditions := []bool{}
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch last := len(conditions) - 1; {
		case word == "@if":
			has := func(feature string) bool { return slices.Contains(features, feature) }
			conditions = append(conditions, slices.ContainsFunc(strings.Fields(rest), has))
		case word == "@else":
			conditions[last] = !conditions[last]
		case word == "@end":
			conditions = conditions[:last]
		case !slices.Contains(conditions, false):
			b.WriteString(line)
		}
	}
	var pairs []string
	for key, value := range values {
		pairs = append(pairs, "@"+key+"@", value, "@'"+key+"'@", tree.YAML(value))
	}
	return []byte(strings.NewReplacer(pairs...).Replace(b.String()))
}
