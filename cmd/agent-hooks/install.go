package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// settingsFlags select the settings to change.
type settingsFlags struct {
	scopeFlag
	all, dryRun, managed bool
}

func (f *settingsFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.all, "all", false, "all agents found on this machine")
	f.scopeFlag.declare(fs, "use the `user|project` settings: your own (default), or the current project's")
	fs.BoolVar(&f.managed, "managed", false, "use the agent's managed settings, with which the administrator runs managed hooks for all users")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show the changes, but write nothing")
}

// scope returns the selected scope, by default the user's.
func (f *settingsFlags) scope() string {
	if f.managed {
		return string(discovery.ManagedScope)
	}
	return cmp.Or(f.chosen, "user")
}

func (f *settingsFlags) check() error {
	if f.managed && f.chosen != "" {
		return usagef("agent-hooks install --managed AGENT", "--managed and --scope exclude each other")
	}
	return nil
}

type installFlags struct {
	settingsFlags
	policyFlags
	program    string
	failClosed *bool // nil: as the entries that are there
}

func (f *installFlags) declare(fs *flag.FlagSet) {
	f.settingsFlags.declare(fs)
	fs.StringVar(&f.program, "program", "", "make agents call the program at `PATH` instead of this one")
	f.policyFlags.declare(fs)
	fs.BoolFunc("fail-closed", "make the agent block calls that its hooks could not check, also in later installs; --fail-closed=false ends that", func(text string) error {
		on, err := strconv.ParseBool(text)
		f.failClosed = &on
		return err
	})
}

const installAbout = `Agents: {agents}.
The entries call agent-hooks run --require-trust, so a project's hooks run only after agent-hooks trust; those of install copilot --scope project do not, because a cloud agent also reads them. install preserves everything else in a settings file and writes a backup next to it. Installing again changes nothing.
`

// execute is `agent-hooks install AGENT ...` (D49).
func (flags installFlags) execute(env *Env, args []string) (int, error) {
	options := install.Options{Ask: flags.ask, Modify: flags.modify, Scope: flags.scope(), RequireHooks: flags.managed && install.HasManagedHooks()}
	if options.Scope == "user" {
		if err := env.ownPlaces(); err != nil {
			return 0, fmt.Errorf("install: %w", err)
		}
	}
	env.warnPlaces()
	system := env.system()
	clients, err := env.clients("install", system, flags.all, args)
	if err != nil {
		return 0, err
	}
	program, err := env.permanentProgram(system, flags.program, options.Scope)
	if err != nil {
		return 0, err
	}
	options.Program = program.Path
	switch {
	case flags.managed:
		if err := paths.CheckRoot(program.Path); err != nil {
			return 0, usagef("put the program where only root can change it, and name it with --program PATH", "install: every user could change the guards: %v", err)
		}
		if err := paths.CheckRunnable(program.Path); err != nil {
			return 0, usagef("the agents of all users run it", "install: %v", err)
		}
	case !flags.dryRun:
		if err := env.copyProgram("install", program, system); err != nil {
			return 0, err
		}
	}
	options.Used = env.extensionEvents()
	in := installation{env: env, scope: options.Scope, dryRun: flags.dryRun}
	for _, c := range clients {
		t := system.Target(c)
		options.FailClosed = flags.managed || flags.failClosed != nil && *flags.failClosed || flags.failClosed == nil && t.FailsClosed(options.Scope)
		in.install(t, options)
	}
	return in.finish()
}

// copyProgram copies the program for the entries, if it must be copied.
func (env *Env) copyProgram(command string, program install.Chosen, s install.System) error {
	copied, err := program.Copy(context.Background(), s)
	if err != nil {
		return fmt.Errorf("%s: %s may be removed at any time, and cannot be copied: %w", command, program.From, err)
	}
	if copied {
		env.out(2, term.Printable("agents call a copy of this program, because npm may remove this one: "+program.Path))
	}
	return nil
}

// install writes the entries of one agent.
func (in *installation) install(t install.Target, o install.Options) {
	if t.Found.Program != "" && t.Version == "" {
		t.Version = t.VersionOf(context.Background(), t.Found.Program)
	}
	if t.Places == nil {
		in.say(t.Name, t.ByHand(o))
		return
	}
	reviewed := t.Reviews && o.Scope != "managed" && len(t.Installed(o.Scope)) > 0
	changes, err := t.Install(o, in.dryRun)
	if errors.Is(err, install.ErrNoManaged) {
		in.say(t.Name, err.Error())
		return
	}
	if err != nil {
		in.fail(t.Name, err)
		return
	}
	in.changes(t.Name, changes)
	if reviewed && slices.ContainsFunc(changes, install.Change.Changed) {
		in.say(t.Name, "existing entries change, so "+t.Title+" does not run them before you have reviewed them again")
	}
	for _, p := range t.Plugins() {
		in.say(t.Name, "the plugin "+p.ID+" calls agent-hooks too, so every event fires twice; to remove it: "+p.Remove)
	}
	if !t.Found.Here() {
		in.say(t.Name, t.Title+" was not found on this machine")
	}
	if text, fix := t.Unserved(); text != "" {
		in.say(t.Name, text+": "+fix)
	}
	if !t.Live() {
		in.say(t.Name, "the adapter follows the documentation and was not run")
	}
	switch {
	case o.FailClosed && !t.CanFailClosed() && in.scope != string(discovery.ManagedScope):
		in.say(t.Name, "--fail-closed has no effect: "+t.Title+" cannot block calls that its hooks could not check")
	case o.FailClosed:
		in.closed = append(in.closed, t.Name)
	default:
		in.open = append(in.open, t.Name)
	}
	if in.scope == string(discovery.ManagedScope) || in.dryRun {
		return // the steps concern the users' own entries
	}
	for _, step := range t.ToDo(in.scope, slices.ContainsFunc(changes, install.Change.Changed)) {
		in.steps = append(in.steps, t.Name+": "+step)
	}
}

// installation is one call of install or uninstall.
type installation struct {
	env    *Env
	scope  string
	dryRun bool
	steps  []string
	failed bool

	open, closed []string // the agents whose entries fail open and closed
}

// changes prints the result for each file.
func (in *installation) changes(agent string, changes []install.Change) {
	for _, c := range changes {
		switch {
		case in.dryRun:
			in.diff(c)
		case !c.Changed():
			in.say(agent, c.Path+" is up to date")
		case c.New == nil:
			in.say(agent, "removed "+c.Path)
		case c.Exact:
			in.say(agent, "restored "+c.Path)
		case c.Entries == 0:
			in.say(agent, "wrote "+c.Path)
		default:
			text := fmt.Sprintf("wrote %s: %s", c.Path, install.Count(c.Entries, "entry", "entries"))
			if c.Backup != "" {
				text += "; backup: " + c.Backup
			}
			in.say(agent, text)
		}
	}
}

// diff shows a change in the form of diff -u.
func (in *installation) diff(c install.Change) {
	if !c.Changed() {
		in.say(c.Path, "no change")
		return
	}
	before, after := c.Path, c.Path
	if c.Old == nil {
		before = os.DevNull
	}
	if c.New == nil {
		after = os.DevNull
	}
	in.env.print(in.env.homely(fmt.Sprintf("--- %s\n+++ %s\n", term.Printable(before), term.Printable(after))))
	for _, line := range trust.Diff(string(c.Old), string(c.New)) {
		in.env.print(in.env.style(diffStyle(line), term.Printable(strings.TrimSuffix(line, "\r"))) + "\n")
	}
}

func (in *installation) say(agent, text string) {
	in.env.out(2, term.Printable(agent+": "+text))
}

func (in *installation) fail(agent string, err error) {
	in.failed = true
	in.env.say("error", term.Red, agent+": "+err.Error())
}

// finish prints what happens if the program is missing or fails, and the remaining manual steps, one per
// line.
func (in *installation) finish() (int, error) {
	if len(in.closed) > 0 && in.scope != string(discovery.ManagedScope) {
		in.say(strings.Join(in.closed, ", "), install.ModeClosed)
	}
	if len(in.open) > 0 {
		in.say(strings.Join(in.open, ", "), install.ModeOpen)
	}
	if len(in.steps) > 0 {
		in.env.print(in.env.style(term.Bold, "To do by hand:") + "\n")
		for _, step := range in.steps {
			in.env.out(4, "  "+step)
		}
	}
	return exitStatus(in.failed), nil
}

type uninstallFlags struct {
	settingsFlags
	purge bool
}

func (f *uninstallFlags) declare(fs *flag.FlagSet) {
	f.settingsFlags.declare(fs)
	fs.BoolVar(&f.purge, "purge", false, "with --all: also remove the log, the reviewed copies of hooks and guards that nobody has edited")
}

// execute is `agent-hooks uninstall AGENT ...` (D50).
func (flags uninstallFlags) execute(env *Env, args []string) (int, error) {
	if flags.purge && (!flags.all || flags.scope() != "user") {
		return 0, usagef("agent-hooks uninstall --all --purge", "uninstall: --purge removes what agent-hooks keeps for the user, so it needs --all and the scope user")
	}
	env.warnPlaces()
	system := env.system()
	clients := install.All()
	if !flags.all || len(args) > 0 {
		var err error
		clients, err = env.clients("uninstall", system, flags.all, args)
		if err != nil {
			return 0, err
		}
	}
	in, removed := installation{env: env, scope: flags.scope(), dryRun: flags.dryRun}, 0
	for _, c := range clients {
		t := system.Target(c)
		changes, err := t.Uninstall(in.scope, in.dryRun)
		removed += len(changes)
		switch {
		case err != nil:
			in.fail(t.Name, err)
		case len(changes) == 0 && !flags.all:
			in.say(t.Name, "there are no entries of agent-hooks")
		default:
			in.changes(t.Name, changes)
		}
		if left := t.Left(); left != "" {
			in.say(t.Name, left)
		}
		for _, p := range t.Plugins() {
			in.say(t.Name, "the plugin "+p.ID+" still calls agent-hooks; to remove it: "+p.Remove)
		}
	}
	if flags.all && removed == 0 && !in.failed {
		in.env.out(2, "no agent's settings have entries of agent-hooks; agent-hooks doctor lists the agents found")
	}
	// The copy of the program that install made goes once no entry calls it.
	path, err := system.RemoveCopy(flags.dryRun)
	switch {
	case err != nil:
		in.failed = true
		env.say("error", term.Red, fmt.Sprintf("%v; remove this copy of the program yourself", err))
	case path != "":
		env.out(2, term.Printable("removed "+path))
	}
	if flags.all && !flags.dryRun {
		in.remove(system, flags.purge)
	}
	return in.finish()
}
