package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/internal/author/past"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

type setupFlags struct {
	yes, dryRun bool
	program     string
}

func (f *setupFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.yes, "yes", false, "write without asking, and without reading transcripts")
	fs.StringVar(&f.program, "program", "", "make agents call the program at `PATH` instead of this one")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show the guards, what they would have done, and the files that would change; write nothing")
}

const setupAbout = `setup adds guards against data loss and for credentials to your own hooks, for all projects, and lets the agents call them: those given, otherwise all that are found on this machine. First it shows each guard, what it would have done on the calls in your agents' transcripts of the last 30 days, and the settings that change, and asks once. Then it sends a test event and lists the steps that only you can do.
It does what new --from FAMILY --user, replay --with, install and doctor do. It overwrites no hook, writes a backup next to each settings file, and changes nothing when it is run again. uninstall --all removes the entries and lists the hooks that it leaves.
`

// pastDays is the number of days whose calls show the effect of new hooks.
const pastDays = 30

// execute is `agent-hooks setup [AGENT ...]`. Nothing is written before the whole plan is known and
// agreed to, and no signal ends the program while it writes.
func (flags setupFlags) execute(env *Env, args []string) (int, error) {
	if err := env.ownPlaces(); err != nil {
		return 0, fmt.Errorf("setup: %w", err)
	}
	env.warnPlaces()
	p, err := env.planSetup(args, flags.program)
	if err != nil {
		return 0, err
	}
	switch {
	case len(p.guards)+len(p.changes) == 0:
		return p.again(flags.dryRun)
	case !flags.dryRun && !flags.yes && !env.interactive():
		return 0, usagef("agent-hooks setup --yes, or --dry-run to see what it would write", "setup: it asks before it writes, and there is no terminal")
	}
	var s *past.Summary
	if !flags.yes && len(p.guards) > 0 {
		s, err = p.replay()
		if err != nil {
			return 0, fmt.Errorf("setup: %w", err)
		}
	}
	if err := p.print(s); err != nil {
		return 0, err
	}
	switch {
	case flags.dryRun:
		return exitStatus(p.failed), nil
	case !flags.yes && !env.yes("\nWrite these files? [y/N] "):
		env.note("nothing was written")
		return exitStatus(p.failed), nil
	}
	return p.write()
}

// setupPlan is what setup would write.
type setupPlan struct {
	env     *Env
	system  install.System
	program install.Chosen
	clients []*install.Client
	targets []install.Target // of all agents with settings
	changes []install.Change // of their settings
	guards  newHooks         // without those that are there
	there   int              // guards that are there
	failed  bool             // an agent's settings cannot be changed
}

func (env *Env) planSetup(names []string, program string) (*setupPlan, error) {
	p := &setupPlan{env: env, system: env.system()}
	var err error
	p.clients, err = env.clients("setup", p.system, len(names) == 0, names)
	if err != nil {
		return nil, err
	}
	p.program, err = env.permanentProgram(p.system, program, "user")
	if err != nil {
		return nil, err
	}
	if err := p.planGuards(); err != nil {
		return nil, fmt.Errorf("setup: %w", err)
	}
	for _, c := range p.clients {
		t := p.system.Target(c)
		if t.Places == nil {
			continue // what embeds it has no settings
		}
		if t.Found.Program != "" {
			t.Version = t.VersionOf(context.Background(), t.Found.Program)
		}
		changes, err := t.Install(p.options(t), true)
		if err != nil {
			p.failed = true
			env.say("error", term.Red, t.Name+": "+err.Error())
			continue
		}
		p.targets = append(p.targets, t)
		p.changes = append(p.changes, slices.DeleteFunc(changes, func(c install.Change) bool { return !c.Changed() })...)
	}
	if len(p.targets) == 0 {
		return nil, errors.New("setup: the settings of no agent can be changed; nothing was written")
	}
	return p, nil
}

// planGuards finds the guards that are not among the user's hooks.
func (p *setupPlan) planGuards() error {
	user, _ := p.env.userHooks()
	for _, name := range setupExamples() {
		if _, err := os.Lstat(filepath.Join(user, name)); user != "" && err == nil {
			p.there++
			continue
		}
		n := &newHook{env: p.env, newFlags: newFlags{scopeFlag: scopeFlag{"user"}, from: name}}
		if err := n.settle(); err != nil {
			return err
		}
		p.guards = append(p.guards, n)
	}
	return nil
}

// options are those of install.
func (p *setupPlan) options(t install.Target) install.Options {
	return install.Options{Scope: "user", Program: p.program.Path, Used: p.env.extensionEvents(), FailClosed: t.FailsClosed("user")}
}

// again reports that nothing has to be written, and whether it works.
func (p *setupPlan) again(dryRun bool) (int, error) {
	if !dryRun {
		if err := p.env.copyProgram("setup", p.program, p.system); err != nil {
			return 0, err
		}
	}
	p.env.out(2, fmt.Sprintf("nothing to change: %s and the entries of %s are there", term.Plural(p.there, "guard"), p.titles()))
	reports := p.env.examine(p.system, p.clients, true)
	p.env.printReports(reports)
	return p.status(reports), nil
}

// status is 1 if anything that setup does failed, or does not work. Steps of the user may be left.
func (p *setupPlan) status(reports []install.Report) int {
	failed := p.failed
	for _, r := range reports {
		failed = failed || slices.ContainsFunc(r.Findings, func(f install.Finding) bool { return f.Level == install.Broken && !f.Step })
	}
	return exitStatus(failed)
}

func (p *setupPlan) titles() string {
	var titles []string
	for _, t := range p.targets {
		titles = append(titles, strings.TrimSpace(t.Title+" "+t.Version))
	}
	return strings.Join(titles, ", ")
}

// replay runs the guards alone on the calls of the last days. They have no scripts, so nothing is
// written, and a signal can end the program.
func (p *setupPlan) replay() (*past.Summary, error) {
	o, err := lastDays("").options(p.env, nil)
	if err != nil {
		return nil, err
	}
	var tried []*discovery.Hook
	for _, n := range p.guards {
		hook, _ := examples.Find(n.from)
		dir := n.place.Folder(n.name)
		tried = append(tried, &discovery.Hook{Hook: hook, Scope: discovery.UserScope, Folder: n.name, Dir: dir, File: filepath.Join(dir, "HOOK.md"), State: discovery.Active})
	}
	o.With = discovery.Table{spec.PreToolCall: tried}
	load := o.Load
	o.Load = func(dir string) *agenthooks.Hooks { return load(dir).WithTable(nil) } // what the new guards do, whatever is installed
	return p.env.runPast(context.Background(), o)
}

// lastDays selects the calls that show the effect of new hooks, which may be in a folder.
func lastDays(with string) *replayFlags {
	return &replayFlags{since: time.Now().AddDate(0, 0, -pastDays), with: with}
}

// write writes the guards and the entries, sends the test event, and prints the remaining steps.
func (p *setupPlan) write() (int, error) {
	in := installation{env: p.env, scope: "user"}
	err := unstopped(func() error {
		if err := p.env.copyProgram("setup", p.program, p.system); err != nil {
			return err
		}
		for i, n := range p.guards { // all or none
			if err := state.WriteFolder(n.place.Hooks, n.name, n.files, 0o755); err != nil {
				for _, written := range p.guards[:i] {
					err = errors.Join(err, os.RemoveAll(written.place.Folder(written.name)))
				}
				return fmt.Errorf("setup: %w", err)
			}
		}
		if len(p.guards) > 0 {
			p.env.out(2, fmt.Sprintf("wrote %s to %s", term.Plural(len(p.guards), "guard"), p.env.short(p.guards[0].place.Hooks)))
		}
		for _, t := range p.targets {
			in.install(t, p.options(t))
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	reports := p.env.examine(p.system, p.clients, true)
	for i := range reports { // the steps by hand follow, and nothing has fired yet
		reports[i].Findings = slices.DeleteFunc(reports[i].Findings, func(f install.Finding) bool { return f.Level == install.Note || f.Step && f.Level != install.Broken })
		for j, f := range reports[i].Findings {
			if f.Step {
				reports[i].Findings[j] = install.Finding{Level: install.Warning, Text: f.Text, Fix: "to do by hand, below", Step: true}
			}
		}
	}
	p.env.printReports(reports)
	status, _ := in.finish()
	p.env.print("\n")
	name := "  agent-hooks"
	if p.program.From != "" { // the copy is not on PATH
		name = "  npx agent-hooks"
	}
	return max(status, p.status(reports)), p.env.printTerms([][]string{
		{name + " log", "what was blocked"},
		{name + " new --list", "more guards, and hooks of other kinds"},
		{name + " uninstall --all", "removes the entries and lists the hooks that it leaves"},
	})
}

// maxSetupCalls is the number of past calls that setup shows.
const maxSetupCalls = 5

// print shows the plan. s is nil if the guards were not replayed.
func (p *setupPlan) print(s *past.Summary) error {
	p.env.out(2, "Agents: "+term.Printable(p.titles()))
	if len(p.guards) > 0 {
		if err := p.printGuards(s); err != nil {
			return err
		}
	}
	if p.there > 0 {
		p.env.out(2, fmt.Sprintf("\n%s that you have already: unchanged", term.Plural(p.there, "guard")))
	}
	if len(p.changes) > 0 {
		p.env.print("\nSettings that change:\n")
	}
	for _, c := range p.changes {
		text := p.env.short(c.Path)
		if c.Entries > 0 {
			text += ": " + install.Count(c.Entries, "entry", "entries") + " that call agent-hooks"
		}
		if c.Old != nil {
			text += "; a backup stays next to it"
		}
		p.env.out(4, "  "+text)
	}
	return nil
}

func (p *setupPlan) printGuards(s *past.Summary) error {
	stopped := map[string]string{} // "3 denied, 2 asked"
	if s != nil {
		for _, h := range s.Hooks {
			var parts []string
			if h.Denied > 0 {
				parts = append(parts, grouped(h.Denied)+" denied")
			}
			if h.Asked > 0 {
				parts = append(parts, grouped(h.Asked)+" asked")
			}
			stopped[h.Hook] = strings.Join(parts, ", ")
		}
	}
	all := exampleRows()
	var rows []exampleRow
	for _, n := range p.guards {
		row := all[slices.IndexFunc(all, func(e exampleRow) bool { return e.Name == n.name })]
		if short, _, cut := strings.Cut(row.Description, " ("); cut { // the examples are in new --list
			row.Description = short + "."
		}
		rows = append(rows, row)
	}
	p.env.out(2, fmt.Sprintf("\n%s for all your projects, in %s:", term.Plural(len(rows), "guard"), p.env.short(p.guards[0].place.Hooks)))
	if err := p.env.printFamilies(rows, func(e exampleRow) string { return stopped[e.Name] }); err != nil || s == nil {
		return err
	}
	p.env.print("\n")
	if s.Calls == 0 {
		return p.env.out(2, fmt.Sprintf("What they would have done is not known: there are no transcripts of the last %d days.", pastDays))
	}
	text := fmt.Sprintf("In your last %d days, they would have stopped or asked about %s of %s", pastDays, grouped(s.Compare.Denied), pastTotals(s))
	if len(s.Compare.Newly) == 0 {
		return p.env.out(2, text+".")
	}
	p.env.out(2, text+":")
	var shown []*past.Group
	for _, g := range s.Compare.Newly[:min(len(s.Compare.Newly), maxSetupCalls)] {
		alone := *g
		alone.Was = "" // there was no other hook
		shown = append(shown, &alone)
	}
	if err := p.env.print(p.env.groupTable(shown)); err != nil || len(s.Compare.Newly) == len(shown) {
		return err
	}
	return p.env.out(4, fmt.Sprintf("  … then: agent-hooks replay --since %dd shows all of them", pastDays))
}
