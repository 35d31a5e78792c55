package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

// settingsFlags select the settings to change.
type settingsFlags struct {
	scopeFlag
	all, dryRun bool
}

func (f *settingsFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.all, "all", false, "all agents found on this machine")
	f.scopeFlag.declare(fs, "use the `user|project` settings: your own (default), or the current project's")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show the changes, but write nothing")
}

// scope returns the selected scope, by default the user's.
func (f *settingsFlags) scope() string { return cmp.Or(f.chosen, "user") }

type installFlags struct {
	settingsFlags
	policyFlags
	program    string
	failClosed bool
}

func (f *installFlags) declare(fs *flag.FlagSet) {
	f.settingsFlags.declare(fs)
	fs.StringVar(&f.program, "program", "", "make agents call the program at `PATH` instead of this one")
	f.policyFlags.declare(fs)
	fs.BoolVar(&f.failClosed, "fail-closed", false, "make the agent block calls that its hooks could not check, if it supports that")
}

const installAbout = `Agents: {agents}.
The entries call agent-hooks run --require-trust, so a project's hooks run only after agent-hooks trust; those of install copilot --project do not, because a cloud agent also reads them. install preserves everything else in a settings file and writes a backup next to it. Installing again changes nothing.
`

// execute is `agent-hooks install AGENT ...` (D49).
func (flags installFlags) execute(env *Env, args []string) (int, error) {
	options := install.Options{Ask: flags.ask, Modify: flags.modify, FailClosed: flags.failClosed, Scope: flags.scope()}
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
	if !flags.dryRun {
		copied, err := program.Copy(context.Background(), system)
		if err != nil {
			return 0, fmt.Errorf("install: %s may be removed at any time, and cannot be copied: %w", program.From, err)
		}
		if copied {
			env.out(2, term.Printable("agents call a copy of this program, because npm may remove this one: "+program.Path))
		}
	}
	options.Used = env.extensionEvents()
	in := installation{env: env, scope: options.Scope, dryRun: flags.dryRun}
	for _, c := range clients {
		in.install(system.Target(c), options)
	}
	return in.finish()
}

// install writes the entries of one agent.
func (in *installation) install(t install.Target, o install.Options) {
	if t.Found.Program != "" {
		t.Version = t.VersionOf(context.Background(), t.Found.Program)
	}
	if t.Places == nil {
		in.say(t.Name, t.ByHand(o))
		return
	}
	reviewed := t.Reviews && len(t.Installed(o.Scope)) > 0
	changes, err := t.Install(o, in.dryRun)
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
	if !t.Live() {
		in.say(t.Name, "the adapter follows the documentation and was not run")
	}
	if o.FailClosed && !t.CanFailClosed() {
		in.say(t.Name, "--fail-closed has no effect: "+t.WhyOpen())
	}
	for _, step := range t.Steps {
		if step.Scope == "" || step.Scope == in.scope {
			in.steps = append(in.steps, t.Name+": "+step.Text)
		}
	}
}
