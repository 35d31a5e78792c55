package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"strings"

	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/internal/advice"
	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/internal/scaffold"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

type newFlags struct {
	trigger, lang, pattern, example string
	tool                            optionalText
	user                            bool
	project, from                   string
	list, dryRun, json              bool
}

func (f *newFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.trigger, "trigger", "", "the hook's `EVENT`")
	fs.StringVar(&f.lang, "lang", "", "the script's `LANGUAGE`: "+strings.Join(scaffold.Languages(), ", "))
	fs.Var(&f.tool, "tool", "for tool events: a regular expression for the tool's `NAME`; default Shell, '' for every tool")
	fs.StringVar(&f.pattern, "pattern", "", "for tool events: a regular `EXPRESSION` for the tool's input")
	fs.StringVar(&f.example, "example", "", "a `TEXT` that the pattern matches, for the test cases")
	fs.BoolVar(&f.user, "user", false, "write a user hook, for all projects")
	fs.StringVar(&f.project, "project", "", "write a hook of the project that contains `DIR`")
	fs.StringVar(&f.from, "from", "", "copy the example hook `NAME`")
	fs.BoolVar(&f.list, "list", false, "list the example hooks")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show the files, but write nothing")
	fs.BoolVar(&f.json, "json", false, "print JSON; never ask")
}

// optionalText is a flag whose value may be "".
type optionalText struct {
	text  string
	given bool
}

func (o *optionalText) String() string { return o.text }

func (o *optionalText) Set(text string) error {
	o.text, o.given = text, true
	return nil
}

// execute is `agent-hooks new NAME`. It never overwrites anything, and writes the hook
// atomically.
func (flags newFlags) execute(env *Env, args []string) (int, error) {
	if flags.list {
		if err := noArguments("new --list", args); err != nil {
			return 0, err
		}
		return spec.ExitContinue, env.listExamples(flags.json)
	}
	if flags.user && flags.project != "" {
		return 0, usagef("give one of them", "new: --user and --project exclude each other")
	}
	n := &newHook{env: env, newFlags: flags, name: strings.Join(args, "")}
	if term.IsTerminal(env.Stdin) && term.IsTerminal(env.Stderr) && !flags.json {
		n.asks = newAsker(env)
	}
	if err := n.settle(); err != nil {
		return 0, asUsage(err)
	}
	if flags.dryRun {
		return spec.ExitContinue, n.show()
	}
	if err := n.place.write(n.name, n.files); err != nil {
		return 0, fmt.Errorf("new: %w", err)
	}
	return spec.ExitContinue, n.tell()
}

// newHook is the state of one call of new.
type newHook struct {
	newFlags
	env  *Env
	asks *asker // nil: there is no terminal to prompt on

	name  string
	place *hookPlace
	files []scaffold.File
}

// settle determines all options before anything is written.
func (n *newHook) settle() error {
	if err := n.settleExample(); err != nil {
		return err
	}
	if err := n.settleName(); err != nil {
		return err
	}
	place, err := n.settlePlace()
	if err != nil {
		return err
	}
	n.place = place
	if err := place.refuse(n.name); err != nil {
		return err
	}
	if n.from != "" {
		n.files = exampleFiles(n.from, n.name)
		return nil
	}
	o, err := n.options()
	if err != nil {
		return err
	}
	if n.files, err = scaffold.New(o); err == nil && n.dryRun {
		n.lint(o)
	}
	return err
}

// lint warns about mistakes in a matcher. For a hook that is written, its validation does this.
func (n *newHook) lint(o scaffold.Options) {
	if !o.Trigger.IsTool() {
		return
	}
	if o.Tool != "" {
		n.found("tool", advice.Check("tool", o.Tool))
	}
	if o.Pattern != "" {
		n.found("pattern", advice.Check("pattern", o.Pattern))
	}
}

func (n *newHook) found(part string, findings []advice.Finding) {
	for _, f := range findings {
		n.env.warn("the %s %s", part, f.Message())
	}
}

func (n *newHook) settleExample() error {
	if n.from == "" {
		return nil
	}
	if n.trigger != "" || n.lang != "" || n.tool.given || n.pattern != "" || n.example != "" {
		return usagef("change the HOOK.md of the copy", "new: --from takes the example as it is, without --trigger, --lang, --tool, --pattern and --example")
	}
	if _, ok := examples.Find(n.from); !ok {
		names := examples.Names()
		hint := near.Hint("the examples are "+strings.Join(names, ", "), "`agent-hooks new --from %s`", n.from, names)
		return usagef(hint, "new: there is no example %q", n.from)
	}
	n.name = cmp.Or(n.name, n.from)
	return nil
}

func (n *newHook) settleName() (err error) {
	if n.name == "" && n.asks != nil {
		n.name, err = n.asks.ask("Name", "", scaffold.CheckName)
		return err
	}
	if n.name == "" {
		return usagef("agent-hooks new NAME --trigger EVENT", "new: name the hook")
	}
	return scaffold.CheckName(n.name)
}

// options prompts for the options without flags, or uses the defaults.
func (n *newHook) options() (o scaffold.Options, err error) {
	o = scaffold.Options{Name: n.name, Language: n.lang, Tool: n.tool.text, Pattern: n.pattern, Example: n.example}
	if o.Trigger, err = n.event(); err != nil {
		return o, err
	}
	if o.Trigger.IsTool() && !n.tool.given {
		o.Tool = usualTool
	}
	if n.asks != nil {
		return n.asks.complete(o, n.newFlags)
	}
	o.Language = cmp.Or(o.Language, usualLanguage())
	return o, nil
}

const usualTool = "Shell"

func usualLanguage() string {
	if runtime.GOOS == "windows" {
		return "python"
	}
	return "sh"
}

func (n *newHook) event() (spec.EventType, error) {
	switch {
	case n.trigger != "":
		return eventArgument("new "+n.name+" --trigger", n.trigger)
	case n.asks != nil:
		return n.asks.event()
	}
	return "", usagef(fmt.Sprintf("agent-hooks new %s --trigger pre-tool-call (agent-hooks events shows them all)", n.name), "new: --trigger is missing: the event that the hook runs on")
}

// asUsage converts an error about an invalid option to a usage error.
func asUsage(err error) error {
	var p *scaffold.Problem
	if !errors.As(err, &p) {
		return err
	}
	hint := "agent-hooks help new"
	switch {
	case p.Instead != "" && p.Option == "name":
		hint = "agent-hooks new " + p.Instead
	case p.Instead != "":
		hint = fmt.Sprintf("did you mean --%s %s?", p.Option, p.Instead)
	case p.Option == "lang":
		hint = "--lang " + strings.Join(scaffold.Languages(), "|")
	case p.Hint != "":
		hint = p.Hint
	}
	return usagef(hint, "new: %s", p.Message)
}

// show prints the files that would be written.
func (n *newHook) show() error {
	if n.json {
		return n.env.printJSON(n.result())
	}
	n.place.tell()
	for _, f := range n.files {
		fmt.Fprintf(n.env.Stdout, "would write %s\n", n.env.short(n.place.file(n.name, f)))
	}
	n.place.tellReplaced(n.name)
	return nil
}
