package main

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/internal/advice"
	"github.com/agent-hooks/agent-hooks/internal/author/scaffold"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
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
		return spec.ExitContinue, env.listExamples(flags.json)
	}
	hooks, err := flags.hooks(env, args)
	if err == nil {
		err = hooks.create()
	}
	if err != nil {
		return 0, fmt.Errorf("new: %w", err)
	}
	return spec.ExitContinue, nil
}

// newHooks are the hooks of one call of new: one, or copies of several examples.
type newHooks []*newHook

// hooks returns the hooks that a command line names. With --from, the name of another example is
// not the name of the copy: it is copied, too.
func (flags newFlags) hooks(env *Env, args []string) (newHooks, error) {
	if flags.from == "" || len(args) == 1 && exampleNames(args[0]) == nil && len(flags.sources(nil)) == 1 {
		if len(args) > 1 {
			return nil, noArguments("new", args[1:])
		}
		n := &newHook{env: env, newFlags: flags, name: strings.Join(args, "")}
		if term.IsTerminal(env.Stdin) && term.IsTerminal(env.Stderr) && !flags.json {
			n.asks = &asker{env, bufio.NewReader(env.Stdin)}
		}
		return newHooks{n}, nil
	}
	var all newHooks
	for _, source := range flags.sources(args) {
		n := &newHook{env: env, newFlags: flags}
		n.from = source
		all = append(all, n)
	}
	return all, nil
}

// sources returns the examples that --from and further arguments name, and the names of none.
func (flags newFlags) sources(args []string) (sources []string) {
	for _, name := range append(strings.Split(flags.from, "\n"), args...) {
		names := exampleNames(name)
		if names == nil {
			names = []string{name}
		}
		for _, name := range names {
			if !slices.Contains(sources, name) {
				sources = append(sources, name)
			}
		}
	}
	return sources
}

// exampleNames returns the example of a name, those of a family, with spaces or hyphens.
func exampleNames(name string) (names []string) {
	for _, e := range exampleRows() {
		if e.Name == name || strings.EqualFold(e.Family, strings.ReplaceAll(name, "-", " ")) {
			names = append(names, e.Name)
		}
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
	if !first.dryRun {
		for _, n := range all {
			if err := n.write(); err != nil {
				return err
			}
		}
		return all.printResult()
	}
	if first.json {
		return all.printJSON()
	}
	first.printPlace()
	for _, n := range all {
		n.show()
	}
	return nil
}

// newHook is the state of one call of new.
type newHook struct {
	newFlags
	env  *Env
	asks *asker // nil: there is no terminal to prompt on

	name  string
	place scaffold.Place
	other string // how to select the other scope; "" if there is none, or the user selected one
	files []state.File
}

// settle determines all options before anything is written.
func (n *newHook) settle() error {
	if err := n.settleExample(); err != nil {
		return err
	}
	if err := n.settleName(); err != nil {
		return err
	}
	if err := n.settlePlace(); err != nil {
		return err
	}
	if n.from != "" {
		n.files = exampleFiles(n.from, n.name)
		return nil
	}
	o := scaffold.Options{Name: n.name, Language: n.lang, Tool: n.tool, Pattern: n.pattern, Example: n.example, Match: n.match, Reason: n.reason}
	if err := n.suggestAnswer(); err != nil {
		return err
	}
	var err error
	if n.decision != "" {
		if n.lang != "" || n.pattern != "" || n.judge {
			return usagef("agent-hooks new "+n.name+" --deny EXPRESSION", "--deny, --ask and --allow exclude --judge, --lang and --pattern: there is no script, and they are the pattern")
		}
		o.Decision, o.Pattern, o.Trigger = n.decision, n.answer, spec.EventType(cmp.Or(n.trigger, string(spec.PreToolCall)))
		n.files, err = scaffold.New(o)
		return err
	}
	if n.reason != "" || n.match != "" {
		return usagef("agent-hooks new "+n.name+" --deny EXPRESSION --reason TEXT", "--reason and --match are for --deny, --ask and --allow")
	}
	if n.judge {
		if n.lang != "" {
			return usagef("agent-hooks new "+n.name+" --judge", "--judge and --lang exclude each other: the script has one line")
		}
		o.Judge, n.trigger = true, cmp.Or(n.trigger, string(spec.PreAgentTurnStop))
	}
	o.Trigger, err = n.event()
	if err != nil {
		return err
	}
	if o.Trigger.IsTool() && !n.toolGiven {
		o.Tool = "Shell"
	}
	if o.Language == "" {
		o.Language = map[bool]string{true: "python", false: "sh"}[runtime.GOOS == "windows"]
	}
	n.files, err = scaffold.New(o)
	if err == nil && n.dryRun {
		n.lint(o)
	}
	return err
}

// suggestAnswer prompts for the expression of a guard without a script, if no option says what
// the hook does. An empty answer means a script.
func (n *newHook) suggestAnswer() (err error) {
	if n.asks == nil || n.describe() {
		return nil
	}
	n.answer, err = n.asks.ask("Block which commands? An expression such as ^npm publish, or nothing for a script", "", func(answer string) error {
		if answer == "" {
			return nil
		}
		_, err := scaffold.New(scaffold.Options{Name: n.name, Trigger: spec.PreToolCall, Decision: "deny", Pattern: answer})
		return err
	})
	if n.answer != "" {
		n.decision = "deny"
	}
	return err
}

// write writes the folder of the hook. It delays signals until the end, which comes soon: they
// would leave a temporary folder.
func (n *newHook) write() error {
	return unstopped(func() error { return state.WriteFolder(n.place.Hooks, n.name, n.files, 0o755) })
}

// lint warns about mistakes in a matcher. For a hook that is written, its validation does this.
func (n *newHook) lint(o scaffold.Options) {
	for _, part := range [][2]string{{"tool", o.Tool}, {"pattern", o.Pattern}} {
		if part[1] == "" || !o.Trigger.IsTool() {
			continue
		}
		for _, f := range advice.Check(part[0], part[1]) {
			n.env.warn("the %s %s", part[0], f.Message())
		}
	}
}

func (n *newHook) settleExample() error {
	if n.from == "" {
		return nil
	}
	if n.describe() {
		return usagef("change the HOOK.md of the copy", "--from takes the example as it is, without options for a new hook")
	}
	if names := exampleNames(n.from); len(names) == 1 {
		n.from = names[0] // of a family
	}
	if _, ok := examples.Find(n.from); !ok {
		names := examples.Names()
		hint := shown.Hint("the examples are "+strings.Join(names, ", "), "`agent-hooks new --from %s`", n.from, names)
		return usagef(hint, "there is no example %q, and no family of examples", n.from)
	}
	n.name = cmp.Or(n.name, n.from)
	return nil
}

func (n *newHook) settleName() (err error) {
	if n.name == "" && n.asks != nil {
		n.name, err = n.asks.ask("Name", n.freeName(), scaffold.CheckName)
		return err
	}
	if n.name == "" {
		return usagef("agent-hooks new NAME --trigger EVENT", "name the hook")
	}
	return scaffold.CheckName(n.name)
}

// freeName returns a name that no hook has.
func (n *newHook) freeName() string {
	all, name := suite.All(n.env.load(nil).Table), "my-hook"
	for i := 2; slices.ContainsFunc(all, func(h *discovery.Hook) bool { return h.Folder == name }); i++ {
		name = fmt.Sprintf("my-hook-%d", i)
	}
	return name
}

func (n *newHook) event() (spec.EventType, error) {
	switch {
	case n.trigger != "":
		return spec.EventType(n.trigger), nil
	case n.asks != nil:
		return n.asks.event()
	}
	return "", usagef(fmt.Sprintf("agent-hooks new %s --deny '^npm publish' for a guard without a script, or --trigger pre-tool-call (agent-hooks events shows them all)", n.name), "--trigger is missing: the event that the hook runs on")
}

// show prints the files that would be written.
func (n *newHook) show() {
	for _, f := range n.files {
		fmt.Fprintf(n.env.Stdout, "would write %s\n", n.env.short(n.place.File(n.name, f)))
	}
	n.printReplaced()
}

// asker prompts on the terminal for what has no default. Prompts are written to stderr.
type asker struct {
	env   *Env
	lines *bufio.Reader
}

// ask prompts until check accepts the answer. An empty answer means the default. The end of
// input is an error; nothing has been written then.
func (a *asker) ask(question, usual string, check func(string) error) (string, error) {
	if usual != "" {
		question += " [" + usual + "]"
	}
	for {
		fmt.Fprintf(a.env.Stderr, "%s: ", question)
		line, err := a.lines.ReadString('\n')
		if err != nil {
			fmt.Fprintln(a.env.Stderr)
			return "", errors.New("no answer; nothing was written")
		}
		answer := cmp.Or(strings.TrimSpace(line), usual)
		err = check(answer)
		if err == nil {
			return answer, nil
		}
		text := err.Error()
		if p := (*scaffold.Problem)(nil); errors.As(err, &p) && p.Instead != "" {
			text += "; " + p.Instead + " would do"
		}
		fmt.Fprint(a.env.Stderr, a.env.paragraph(a.env.Stderr, 4, "  "+term.Printable(text)))
	}
}

// event prompts for the trigger, by name or number.
func (a *asker) event() (event spec.EventType, err error) {
	t := term.Table{Right: []bool{true}}
	for i, info := range spec.Events() {
		t.Rows = append(t.Rows, []string{fmt.Sprintf("  %2d", i+1), string(info.Event), info.When})
	}
	fmt.Fprint(a.env.Stderr, "When does it run?\n"+t.Text(a.env.width(a.env.Stderr), nil))
	_, err = a.ask("Event", string(spec.PreToolCall), func(answer string) (err error) {
		event, err = numberedEvent(answer)
		return err
	})
	return event, err
}

func numberedEvent(answer string) (spec.EventType, error) {
	all := spec.Events()
	if n, err := strconv.Atoi(answer); err == nil && 0 < n && n <= len(all) {
		return all[n-1].Event, nil
	}
	if event := spec.EventType(answer); event.Valid() {
		return event, nil
	}
	near, _ := shown.NearEvent(answer)
	return "", &scaffold.Problem{Option: "trigger", Message: fmt.Sprintf("there is no event %q", answer), Instead: string(near)}
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

// printProblems prints the reasons why the new hook cannot run.
func (n *newHook) printProblems() {
	n.place.Table = n.env.load(nil).Table
	h := n.place.Find(n.name, n.place.Scope)
	if h == nil {
		n.env.warn("%s is not among the hooks that run here: agent-hooks list", n.place.Folder(n.name))
		return
	}
	path := n.env.Getenv("PATH")
	for _, d := range h.Validate(path) {
		n.env.warn("%s", d)
	}
	if h.State == discovery.Disabled {
		n.env.warn("hook %s does not run: disabled by %s", n.name, h.Cause)
	}
}

// exampleRow is one of the example hooks.
type exampleRow struct {
	Name        string         `json:"name"`
	Family      string         `json:"family"`
	Trigger     spec.EventType `json:"trigger"`
	Description string         `json:"description"`
}

// listExamples prints the examples, grouped by the family that each names in its metadata.
func (env *Env) listExamples(asJSON bool) error {
	listed := exampleRows()
	if asJSON {
		return env.printJSON(listed)
	}
	return env.printFamilies(listed, func(e exampleRow) string { return string(e.Trigger) })
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
