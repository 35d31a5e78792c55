package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

type doctorFlags struct {
	live  string
	start bool
	wait  time.Duration
	json  bool

	managed bool
}

func (f *doctorFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.live, "live", "", "wait until `AGENT` itself calls a temporary probe hook")
	fs.BoolVar(&f.start, "start", false, "with --live: start the agent without a terminal; this sends one short request to its model")
	fs.DurationVar(&f.wait, "wait", 5*time.Minute, "with --live: wait at most `DURATION`; default 5m")
	fs.BoolVar(&f.json, "json", false, "print JSON")
	fs.BoolVar(&f.managed, "managed", false, "check that agents run the administrator's hooks for all users, and list the ways around that are left")
}

const doctorAbout = `For each agent, doctor reports whether it is installed and in which version, whether its entries are present and current, whether the agent itself still requires a step of yours, which of its settings disable hooks, and when hooks last ran. It sends a test event through the exact installed command line. Without AGENT, it checks all agents that are installed or that call agent-hooks.
With --live, doctor waits until the agent itself calls a probe hook, because you gave the agent a task or because of --start. If the agent can list its loaded hooks (Codex, Antigravity), doctor reads that list first, without a request to a model.
The exit status is 1 if anything is broken.
`

// execute is `agent-hooks doctor [AGENT ...]` (D50).
func (flags doctorFlags) execute(env *Env, args []string) (int, error) {
	system := env.system()
	if flags.live != "" {
		return env.doctorLive(system, flags, args)
	}
	if flags.managed {
		return env.doctorManaged(system, flags.json, args)
	}
	var clients []*install.Client
	var err error
	if len(args) > 0 {
		clients, err = env.clients("doctor", system, false, args)
		if err != nil {
			return 0, err
		}
	} else {
		clients = slices.DeleteFunc(install.All(), func(c *install.Client) bool {
			t := system.Target(c)
			return !t.Here() && len(t.AllInstalled()) == 0
		})
	}
	reports := env.examine(system, clients, len(args) > 0)
	if flags.json {
		err = env.printJSON(reports)
	} else {
		env.printReports(reports)
		env.noteReview(nil)
		all, hooks := runlog.Statistics{}, env.load(nil)
		if env.state() != "" {
			_, _ = env.countLog(&runlog.Filter{}, all) // without a log, the times are unknown
		}
		all.AddExisting(hooks.Table, hooks.Project.Root, "")
		env.noteSlow(hooks, all.Rows())
		if paused := hooks.Paused(); paused != "" {
			env.note("%s", paused)
		}
	}
	entries, broken := 0, false
	for _, r := range reports {
		entries += r.Entries
		broken = broken || r.Broken()
	}
	status := exitStatus(broken || entries == 0)
	if job, err := env.packJob("doctor", offerFlags{}); err == nil {
		for _, l := range job.policy() {
			env.warn("%s", env.deviation(l))
			status = spec.ExitError
		}
	}
	return status, err
}

// doctorManaged is `agent-hooks doctor --managed [AGENT ...]`: by default, of all agents with managed
// settings, and those that are installed (D82).
func (env *Env) doctorManaged(s install.System, asJSON bool, names []string) (int, error) {
	clients := install.All()
	if len(names) > 0 {
		var err error
		clients, err = env.clients("doctor", s, false, names)
		if err != nil {
			return 0, err
		}
	}
	result := struct {
		Hooks    string                  `json:"hooks"`    // the directory of managed hooks
		Problems []string                `json:"problems"` // why they cannot be used
		Count    int                     `json:"count"`
		Agents   []install.ManagedReport `json:"agents"`
	}{Hooks: place.ManagedHooks(), Problems: []string{}, Agents: []install.ManagedReport{}}
	for _, hook := range suite.All(env.load(nil).Table) {
		switch {
		case hook.Scope != discovery.ManagedScope:
		case hook.State == discovery.Active:
			result.Count++
		default:
			result.Problems = append(result.Problems, fmt.Sprintf("hook %s: %s", hook.Shown(), hook.Cause))
		}
	}
	broken := len(result.Problems) > 0
	for _, c := range clients {
		r := s.Target(c).Managed(context.Background())
		if len(names) == 0 && r.Entry == install.EntryUnsupported && !r.Here {
			continue
		}
		broken = broken || r.Broken()
		result.Agents = append(result.Agents, r)
	}
	if asJSON {
		return exitStatus(broken), env.printJSON(result)
	}
	env.print(fmt.Sprintf("%s in %s\n", term.Plural(result.Count, "managed hook"), term.Printable(result.Hooks)))
	for _, problem := range result.Problems {
		env.out(2, "  problem: "+term.Printable(problem))
	}
	for _, r := range result.Agents {
		env.print(fmt.Sprintf("%s: entry %s, lock %s\n", r.Agent, r.Entry, strings.TrimSpace(r.Lock+" "+r.LockKey)))
		for _, file := range r.Files {
			env.out(2, "  "+term.Printable(file))
		}
		if r.Problem != "" {
			env.out(2, "  problem: "+term.Printable(r.Problem))
		}
		for _, way := range r.Ways {
			env.out(2, "  way around: "+way)
		}
	}
	return exitStatus(broken), nil
}

func (env *Env) examine(s install.System, clients []*install.Client, named bool) []install.Report {
	x := install.Examination{
		Named: named, LastFired: env.lastFired(), LastCall: env.lastCall, Others: map[string][]install.Entry{},
		Hooks: map[spec.EventType][]string{}, Timeouts: map[spec.EventType]time.Duration{},
	}
	x.Used = map[spec.EventType]bool{}
	for event, hooks := range env.load(nil).Table {
		x.Used[event] = len(hooks) > 0
		for _, h := range hooks {
			if h.State != discovery.Active {
				continue
			}
			x.Hooks[event] = append(x.Hooks[event], h.Shown())
			if !h.Async {
				x.Timeouts[event] = max(x.Timeouts[event], h.Limit())
			}
		}
	}
	for _, c := range install.All() {
		x.Others[c.Name] = s.Target(c).AllInstalled()
	}
	reports := []install.Report{}
	for _, c := range clients {
		r := s.Target(c).Examine(context.Background(), x)
		r.Findings = append(r.Findings, env.importSystem().Foreign(c, r)...)
		reports = append(reports, r)
	}
	return reports
}

// lastFired returns the time of the last run for each agent.
func (env *Env) lastFired() map[string]time.Time {
	last := map[string]time.Time{}
	if env.state() == "" {
		return last
	}
	reader := runlog.NewReader(env.state())
	defer reader.Close()
	_ = reader.Read(func(_ []byte, e runlog.Entry) error { // without a log, the times are unknown
		last[e.Agent] = e.Time
		return nil
	})
	return last
}

// lastCall returns the last call of an agent.
func (env *Env) lastCall(agent string) (state.Call, bool) { return state.LastCall(env.state(), agent) }

func (env *Env) printReports(reports []install.Report) {
	entries := 0
	for _, r := range reports {
		entries += r.Entries
		head := env.style(term.Bold, r.Agent)
		if r.Version != "" {
			head += " " + term.Printable(r.Version)
		}
		if place := cmp.Or(r.Program, r.Folder); place != "" {
			head += " (" + env.tilde(place) + ")"
		}
		env.out(2, head)
		for _, f := range r.Findings {
			env.printFinding(f)
		}
	}
	switch {
	case len(reports) == 0:
		env.note("no agent was found on this machine; agent-hooks help install lists the known agents")
	case entries == 0:
		env.note("no agent calls your hooks yet: agent-hooks install --all")
	}
}

func (env *Env) printFinding(f install.Finding) {
	style := map[string]string{install.OK: term.Green, install.Warning: term.Yellow, install.Broken: term.Red}[f.Level]
	text := term.Printable(f.Text)
	if f.Fix != "" {
		text += "; " + term.Printable(f.Fix)
	}
	gap := strings.Repeat(" ", max(0, len(install.Warning)-len(f.Level)))
	env.out(4, "  "+env.style(style, f.Level)+gap+"  "+text)
}

// called reports whether any agent is known to call agent-hooks: by an entry
// in its settings, or in the run log.
func (env *Env) called() bool {
	s := env.system()
	entries := func(c *install.Client) bool { return len(s.Target(c).AllInstalled()) > 0 }
	if slices.ContainsFunc(install.All(), entries) {
		return true
	}
	for name := range env.lastFired() {
		if name != "" {
			return true
		}
	}
	return false
}

// doctorLive writes a hook that does nothing and waits until the agent runs it (D50).
func (env *Env) doctorLive(s install.System, flags doctorFlags, args []string) (int, error) {
	if err := noArguments("doctor --live", args); err != nil {
		return 0, err
	}
	clients, err := env.clients("doctor --live", s, false, []string{flags.live})
	if err != nil {
		return 0, err
	}
	t := s.Target(clients[0])
	if len(t.AllInstalled()) == 0 {
		return 0, usagef("agent-hooks install "+t.Name, "doctor --live: %s does not call agent-hooks", t.Name)
	}
	if flags.start && t.Start() == nil {
		return 0, usagef("agent-hooks doctor --live "+t.Name, "doctor --live: %s cannot be started without a terminal here", t.Title)
	}
	r := install.Report{Agent: t.Name, Title: t.Title, Found: t.Found, Findings: []install.Finding{}}
	r.Findings = append(r.Findings, t.Loaded(context.Background(), env.Dir)...)
	if r.Broken() {
		return env.printLive(r, flags)
	}
	words, line := t.Start(), t.Shown(t.Start())
	switch terminal := env.interactive() && !flags.json; { // before signals are caught
	case words != nil && (flags.start || terminal && env.yes(fmt.Sprintf("Start it now, with one short request to its model?\n  %s\n[y/N] ", line))):
		env.note("starting %s", line)
	default:
		if words != nil && !terminal {
			env.note("to start it from here, with one short request to its model: agent-hooks doctor --live %s --start", t.Name)
		}
		env.note("ask %s for one harmless command, such as: run echo hello. Waiting for %s ...", t.Title, flags.wait)
		words = nil
	}
	hooks, warning := env.userHooks()
	switch {
	case hooks == "":
		return 0, fmt.Errorf("doctor --live: %s", warning)
	case env.state() == "":
		return 0, fmt.Errorf("doctor --live: %w", errNoStateDir)
	}
	err = untilSignal(func(ctx context.Context) error {
		finding, fired, err := t.Fire(ctx, install.Live{Hooks: hooks, State: env.state(), Dir: env.Dir, Words: words, Wait: flags.wait})
		r.Findings, r.LastFired = append(r.Findings, finding), fired
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("doctor --live: %w", err)
	}
	return env.printLive(r, flags)
}

func (env *Env) printLive(r install.Report, flags doctorFlags) (int, error) {
	status := exitStatus(r.Broken())
	if flags.json {
		return status, env.printJSON([]install.Report{r})
	}
	for _, f := range r.Findings {
		env.printFinding(f)
	}
	return status, nil
}
