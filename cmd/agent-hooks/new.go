package main

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/internal/author/explain"
	"github.com/agent-hooks/agent-hooks/internal/author/scaffold"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

type newFlags struct {
	trigger, lang, pattern, example string
	decision, answer, reason, match string // answer is the expression of --deny, --ask or --allow
	tool                            string
	toolGiven                       bool // maybe as ""
	scopeFlag
	from                      string // the names of --from, one per line
	judge, list, dryRun, json bool
}

// describe reports whether an option says what the hook does.
func (f newFlags) describe() bool {
	f.chosen, f.from, f.list, f.dryRun, f.json = "", "", false, false, false
	return f != newFlags{}
}

func (f *newFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.trigger, "trigger", "", "the hook's `EVENT`")
	fs.StringVar(&f.lang, "lang", "", "the language of the script: `"+strings.Join(scaffold.Languages(), "|")+"`")
	for _, answer := range [][2]string{
		{"deny", "block what matches the regular `EXPRESSION`; no script"},
		{"ask", "ask before what matches the regular `EXPRESSION`; no script"},
		{"allow", "allow commands that the regular `EXPRESSION` matches as a whole; no script"},
	} {
		fs.Func(answer[0], answer[1], func(text string) error {
			if f.decision != "" {
				return errors.New("--deny, --ask and --allow exclude each other")
			}
			f.decision, f.answer = answer[0], text
			return nil
		})
	}
	fs.BoolVar(&f.judge, "judge", false, "ask a model; --trigger is pre-agent-turn-stop unless given")
	fs.StringVar(&f.match, "match", "", "with --deny and --ask: what the expression is searched in, `commands|paths|values`; default: commands, and paths with the --tool of a file")
	fs.StringVar(&f.reason, "reason", "", "with --deny, --ask and --allow: the reason, as a `TEXT` for the agent")
	fs.Func("tool", "for tool events: a regular expression for the `TOOL`'s name; default Shell, '' for every tool", func(text string) error {
		f.tool, f.toolGiven = text, true
		return nil
	})
	fs.StringVar(&f.pattern, "pattern", "", "for tool events: a regular `EXPRESSION` for the tool's input")
	fs.StringVar(&f.example, "example", "", "a `TEXT` that the pattern matches, for the test cases")
	f.scopeFlag.declare(fs, "write a `user|project` hook; default: the project's, if there is one")
	fs.Func("from", "copy the hook `EXAMPLE`, or each example of a family; several may be given", func(text string) error {
		f.from = strings.TrimPrefix(f.from+"\n"+text, "\n")
		return nil
	})
	fs.BoolVar(&f.list, "list", false, "list the example hooks")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show the files, but write nothing")
	fs.BoolVar(&f.json, "json", false, "print JSON; never ask")
}

// execute is `agent-hooks new NAME`. It never overwrites anything, and writes the hook
// atomically.
func (flags newFlags) execute(env *Env, args []string) (int, error) {
	if flags.list {
		if err := noArguments("new --list", args); err != nil {
			return 0, err
		}
		if flags.json {
			return spec.ExitContinue, env.printJSON(exampleRows())
		}
		return spec.ExitContinue, env.printFamilies(exampleRows(), func(e exampleRow) string { return string(e.Trigger) })
	}
	hooks := flags.hooks(env, args)
	if len(hooks) == 1 && len(args) > 1 {
		return 0, fmt.Errorf("new: %w", noArguments("new", args[1:]))
	}
	if err := hooks.create(); err != nil {
		return 0, fmt.Errorf("new: %w", err)
	}
	return spec.ExitContinue, nil
}

// newHooks are the hooks of one call of new: one, or copies of several examples.
type newHooks []*newHook

// hooks returns the hooks that a command line names. With --from, the name of another example is
// not the name of the copy: it is copied, too.
func (flags newFlags) hooks(env *Env, args []string) (all newHooks) {
	var sources []string
	for _, name := range strings.Split(flags.from, "\n") {
		sources = appendExamples(sources, name)
	}
	if len(sources) == 1 && (flags.from == "" || len(args) == 1 && exampleNames(args[0]) == nil) {
		n := &newHook{env: env, newFlags: flags, name: strings.Join(args[:min(1, len(args))], "")}
		n.from = sources[0]
		if term.IsTerminal(env.Stdin) && term.IsTerminal(env.Stderr) && !flags.json {
			n.asks = bufio.NewReader(env.Stdin)
		}
		return newHooks{n}
	}
	for _, name := range args {
		sources = appendExamples(sources, name)
	}
	for _, source := range sources {
		n := &newHook{env: env, newFlags: flags}
		n.from = source
		all = append(all, n)
	}
	return all
}

// appendExamples adds the examples of a name that are not in the list, or the name of none.
func appendExamples(list []string, name string) []string {
	names := exampleNames(name)
	if names == nil {
		names = []string{name}
	}
	return append(list, slices.DeleteFunc(names, func(n string) bool { return slices.Contains(list, n) })...)
}

// exampleNames returns the example of a name, those of a family, with spaces or hyphens, or those
// that replace a former example.
func exampleNames(name string) (names []string) {
	for _, e := range exampleRows() {
		if e.Name == name || strings.EqualFold(e.Family, strings.ReplaceAll(name, "-", " ")) {
			names = append(names, e.Name)
		}
	}
	if names == nil {
		names = examples.Successors(name)
	}
	return names
}

// create writes the hooks, or shows them. All of them are checked before any is written.
func (all newHooks) create() error {
	all[0].env.warnPlaces()
	for _, n := range all {
		if err := n.settle(); err != nil {
			return err
		}
	}
	first := all[0]
	switch {
	case !first.dryRun:
		for _, n := range all {
			// Signals are delayed until the end, which comes soon: they would leave a temporary folder.
			if err := unstopped(func() error { return state.WriteFolder(n.place.Hooks, n.name, n.files, 0o755) }); err != nil {
				return err
			}
		}
		if err := all.printResult(); err != nil {
			return err
		}
		for _, n := range all {
			n.printLeftOut()
		}
		return nil
	case first.json:
		return all.printJSON()
	}
	first.printPlace()
	for _, n := range all {
		for _, file := range n.result().Files {
			fmt.Fprintf(n.env.Stdout, "would write %s\n", n.env.short(file))
		}
		n.printReplaced()
	}
	return nil
}

// printLeftOut prints what an allow does not cover.
func (n *newHook) printLeftOut() {
	if n.decision != "allow" || n.json {
		return
	}
	for _, text := range explain.PatternLeavesOut(n.answer) {
		n.env.note("%s", term.Printable(text))
	}
}

// newHook is the state of one call of new.
type newHook struct {
	newFlags
	env  *Env
	asks *bufio.Reader // the terminal to prompt on; nil: none

	name  string
	place scaffold.Place
	other string // how to select the other scope; "" if there is none, or the user selected one
	files []state.File
}

// settle determines all options before anything is written.
func (n *newHook) settle() (err error) {
	if n.from != "" {
		if n.describe() {
			return usagef("change the HOOK.md of the copy", "--from takes the example as it is, without options for a new hook")
		}
		if _, ok := examples.Find(n.from); !ok {
			names := examples.Names()
			hint := shown.Hint("the examples are "+strings.Join(names, ", "), "`agent-hooks new --from %s`", n.from, names)
			return usagef(hint, "there is no example %q, and no family of examples", n.from)
		}
		n.name = cmp.Or(n.name, n.from)
	}
	switch {
	case n.name == "" && n.asks == nil:
		return usagef("agent-hooks new NAME --trigger EVENT", "name the hook")
	case n.name == "":
		n.name, err = n.ask("Name", "", scaffold.CheckName)
	default:
		err = scaffold.CheckName(n.name)
	}
	if err == nil {
		err = n.settlePlace()
	}
	if err != nil {
		return err
	}
	if n.from != "" {
		n.files = exampleFiles(n.from, n.name)
		return nil
	}
	if n.asks != nil && !n.describe() {
		n.answer, err = n.ask("Block which commands? An expression such as ^npm publish, or nothing for a script", "", func(answer string) error {
			if answer == "" {
				return nil
			}
			_, err := scaffold.New(scaffold.Options{Name: n.name, Trigger: spec.PreToolCall, Decision: "deny", Pattern: answer})
			return err
		})
		if err != nil {
			return err
		}
		if n.answer != "" {
			n.decision = "deny"
		}
	}
	o := scaffold.Options{Name: n.name, Language: n.lang, Tool: n.tool, Pattern: n.pattern, Example: n.example, Match: n.match, Reason: n.reason}
	switch {
	case n.decision != "" && (n.lang != "" || n.pattern != "" || n.judge):
		return usagef("agent-hooks new "+n.name+" --deny EXPRESSION", "--deny, --ask and --allow exclude --judge, --lang and --pattern: there is no script, and they are the pattern")
	case n.decision != "":
		o.Decision, o.Pattern, o.Trigger = n.decision, n.answer, spec.EventType(cmp.Or(n.trigger, string(spec.PreToolCall)))
		n.files, err = scaffold.New(o)
		return err
	case n.reason != "" || n.match != "":
		return usagef("agent-hooks new "+n.name+" --deny EXPRESSION --reason TEXT", "--reason and --match are for --deny, --ask and --allow")
	case n.judge && n.lang != "":
		return usagef("agent-hooks new "+n.name+" --judge", "--judge and --lang exclude each other: the script has one line")
	case n.judge:
		o.Judge, n.trigger = true, cmp.Or(n.trigger, string(spec.PreAgentTurnStop))
	case n.trigger != "":
	case n.asks == nil:
		return usagef(fmt.Sprintf("agent-hooks new %s --deny '^npm publish' for a guard without a script, or --trigger pre-tool-call (agent-hooks events shows them all)", n.name), "--trigger is missing: the event that the hook runs on")
	default:
		n.trigger, err = n.ask("Event", string(spec.PreToolCall), func(answer string) error {
			_, err := eventArgument("new --trigger", answer)
			return err
		})
		if err != nil {
			return err
		}
	}
	o.Trigger = spec.EventType(n.trigger)
	if o.Trigger.IsTool() && !n.toolGiven {
		o.Tool = "Shell"
	}
	if o.Language == "" {
		o.Language = map[bool]string{true: "python", false: "sh"}[runtime.GOOS == "windows"]
	}
	n.files, err = scaffold.New(o)
	return err
}

// ask prompts on stderr until check accepts the answer. An empty answer means the default. The end of
// input is an error; nothing has been written then.
func (n *newHook) ask(question, usual string, check func(string) error) (string, error) {
	if usual != "" {
		question += " [" + usual + "]"
	}
	for {
		fmt.Fprintf(n.env.Stderr, "%s: ", question)
		line, err := n.asks.ReadString('\n')
		if err != nil {
			fmt.Fprintln(n.env.Stderr)
			return "", errors.New("no answer; nothing was written")
		}
		answer := cmp.Or(strings.TrimSpace(line), usual)
		err = check(answer)
		if err == nil {
			return answer, nil
		}
		n.env.fail(err, spec.ExitUsage)
	}
}

// settlePlace selects the scope: that of the flags, otherwise the current project, if there is one.
func (n *newHook) settlePlace() error {
	env, forUser := n.env, n.chosen == string(discovery.UserScope)
	if env.project != "" && !paths.IsFolder(env.absolute(env.project)) {
		return fmt.Errorf("%q is not a directory", env.project)
	}
	named := n.chosen == string(discovery.ProjectScope) || env.project != "" && !forUser
	hooks := env.load(nil)
	n.place = scaffold.Place{Scope: discovery.UserScope, Table: hooks.Table, Protected: hooks.Protected, Short: env.short}
	user, warning := env.userHooks()
	if home := env.home(); strings.HasPrefix(user, home) && user != "" && !paths.IsFolder(home) { // it is not created
		user, warning = "", fmt.Sprintf("the home directory %q does not exist", home)
	}
	project := scaffold.ProjectHooks(hooks.Project.Root, hooks.Project.Hooks, env.home(), named)
	switch {
	case named && project == "":
		return usagef("--user writes it for yourself, in every project", "your home is never a project")
	case named || project != "" && !forUser:
		n.place.Scope, n.place.Hooks = discovery.ProjectScope, project
		if !named && user != "" {
			n.other = "for all your projects: --user"
		}
	case user == "":
		return usagef("--scope project writes it for a project", "%s", warning)
	default:
		if err := env.ownPlaces(); err != nil {
			return err
		}
		n.place.Hooks = user
		if !forUser {
			n.other = "for one: --scope project"
		}
	}
	return n.place.Check(n.name)
}

// printPlace prints the scope of the hook.
func (n *newHook) printPlace() {
	reach := "for all your projects"
	switch {
	case n.place.Scope == discovery.ProjectScope && n.env.project != "":
		reach = "for the project"
	case n.place.Scope == discovery.ProjectScope:
		reach = "for this project"
	}
	line := fmt.Sprintf("%s, in %s", reach, n.env.short(n.place.Hooks))
	if n.other != "" {
		line += " (" + n.other + ")"
	}
	fmt.Fprintln(n.env.Stderr, line)
}

func (n *newHook) printReplaced() {
	replaces, by := n.place.Replaced(n.name)
	if replaces != "" {
		n.env.warn("in this project the hook replaces your own of that name, %s", n.env.short(replaces))
	}
	if by != "" {
		n.env.warn("in this project the project's hook of that name replaces it: %s", n.env.short(by))
	}
}

// exampleRow is one of the example hooks.
type exampleRow struct {
	Name        string         `json:"name"`
	Family      string         `json:"family"`
	Trigger     spec.EventType `json:"trigger"`
	Description string         `json:"description"`
}

// printFamilies prints examples, which are sorted by family, with a word about each.
func (env *Env) printFamilies(listed []exampleRow, about func(exampleRow) string) error {
	var rows [][]string
	family := ""
	for _, e := range listed {
		if e.Family != family {
			if family != "" {
				rows = append(rows, []string{"", "", ""})
			}
			family = e.Family
			rows = append(rows, []string{strings.ToUpper(family), "", ""})
		}
		rows = append(rows, []string{"  " + e.Name, about(e), e.Description})
	}
	return env.printTable(term.Table{
		Rows: rows, LastWidth: 40, Style: func(_, column int) string { return []string{term.Bold, term.Faint, ""}[column] },
	})
}

// exampleRows returns the examples, sorted by family.
func exampleRows() (listed []exampleRow) {
	for _, name := range examples.Names() {
		hook, _ := examples.Find(name)
		family, _ := hook.Metadata["family"].(string)
		listed = append(listed, exampleRow{name, family, hook.Trigger, hook.Description})
	}
	slices.SortStableFunc(listed, func(a, b exampleRow) int { return strings.Compare(a.Family, b.Family) })
	return listed
}

// exampleFiles returns the files of an example, with the new hook's name in their contents.
func exampleFiles(example, name string) []state.File {
	var files []state.File
	for _, f := range examples.Files(example) {
		switch {
		case example == name:
		case f.Path == "HOOK.md":
			f.Data = scaffold.Rename(f.Data, example, name)
		default:
			f.Data = scaffold.RenameIn(f.Data, example, name)
		}
		files = append(files, f)
	}
	return files
}
