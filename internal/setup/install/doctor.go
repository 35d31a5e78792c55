package install

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Finding is one result of a check, with one of the levels.
type Finding = agent.Finding

// The levels of findings.
const (
	OK, Note, Warning, Broken = agent.OK, agent.Note, agent.Warning, agent.Broken
)

func finding(level, text, fix string) Finding { return Finding{Level: level, Text: text, Fix: fix} }

// Report is the result of the checks of one agent (D50).
type Report struct {
	Agent     string `json:"agent"`
	Title     string `json:"title"`
	Found     `json:"found"`
	Verified  string     `json:"verified,omitempty"` // the version that the adapter was last run against
	Date      string     `json:"verified_on,omitempty"`
	Source    string     `json:"source,omitempty"`
	Entries   int        `json:"entries"`
	LastFired *time.Time `json:"last_fired,omitempty"`
	// LastCalled is when the agent called last, with or without hooks, and CalledBy its version then
	// (D150).
	LastCalled *time.Time `json:"last_called,omitempty"`
	CalledBy   string     `json:"called_by,omitempty"`
	Findings   []Finding  `json:"findings"`
}

// Broken reports whether any finding is a failure.
func (r Report) Broken() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Level == Broken })
}

// Examination is the input of an agent's checks.
type Examination struct {
	Named     bool // the user asked for this agent
	Options        // with the events that hooks use
	LastFired map[string]time.Time
	LastCall  func(agent string) (state.Call, bool) // nil: unknown
	// Hooks are the names of each event's hooks, and Timeouts the longest of their
	// timeouts.
	Hooks    map[spec.EventType][]string
	Timeouts map[spec.EventType]time.Duration
	// Others are the entries of every client, by name.
	Others map[string][]Entry
}

// Examine checks one agent. It runs the agent's --version and a dry event, and
// changes nothing.
func (t Target) Examine(ctx context.Context, x Examination) Report {
	if t.Program != "" {
		t.Version = t.VersionOf(ctx, t.Program)
	}
	r := Report{Agent: t.Name, Title: t.Title, Found: t.Found, Date: t.Agent.Date, Source: t.Agent.Source, Findings: []Finding{}}
	if t.Live() {
		r.Verified = t.Agent.Version
	}
	if at, ok := x.LastFired[t.Agent.Name]; ok {
		r.LastFired = &at
	}
	for _, scope := range Scopes() {
		entries := t.Installed(scope)
		r.Entries += len(entries)
		if scope == inAPlugin {
			t.examinePlugins(&r)
		} else {
			t.examineFiles(&r, scope, entries, x)
		}
		if len(entries) > 0 {
			r.add(t.examineCalls(ctx, scope, entries)...)
		}
	}
	t.examineAgent(&r, x)
	return r
}

func (r *Report) add(findings ...Finding) { r.Findings = append(r.Findings, findings...) }

// say adds a finding.
func (r *Report) say(level, fix, format string, args ...any) {
	r.add(finding(level, fmt.Sprintf(format, args...), fix))
}

// examineFiles checks the entries of one scope and the files that contain them.
func (t Target) examineFiles(r *Report, scope string, entries []Entry, x Examination) {
	for _, a := range t.everyPlace(scope) {
		f, err := t.readFile(a.path)
		switch {
		case err != nil:
			r.say(Broken, "", "%v", err)
		case f.exists && (len(entries) > 0 || scope == "user"):
			t.voided(r, a, f)
			t.toolGuards(r, a, f)
		}
	}
	if len(entries) == 0 {
		return
	}
	// The options are those with which the entries were written.
	first := call{program: entries[0].Words[0], args: entries[0].Words[1:]}
	o := Options{Scope: scope, Program: first.program, Ask: first.option("--ask"), Modify: first.option("--modify"), Used: x.Used}
	o.FailClosed = slices.ContainsFunc(entries, func(e Entry) bool { return e.Closed })
	changes, err := t.Install(o, true)
	if flawed := (flawedError{}); errors.As(err, &flawed) {
		return // voided has reported it
	}
	if err != nil {
		r.say(Broken, "", "%v", err)
		return
	}
	stale := false
	for _, c := range changes {
		if c.Changed() {
			stale = true
			r.say(Broken, t.installLine(scope), "%s: %s", c.Path, staleness(c, entries))
		}
	}
	if stale {
		return
	}
	r.add(t.loading(scope)...)
	r.say(OK, "", "%s in the %s's settings, present and current", Count(len(entries), "entry", "entries"), scope)
	switch {
	case scope == managed:
	case o.FailClosed:
		r.say(OK, "", ModeClosed)
	case t.CanFailClosed():
		r.say(Note, "", ModeOpen)
	}
}

// staleness describes how a file differs from what install would write.
func staleness(c Change, entries []Entry) string {
	var edited []string
	for _, e := range entries {
		switch {
		case e.Path != c.Path:
		case e.Only != "":
			edited = append(edited, fmt.Sprintf("the entry of %s has the matcher %q, so other calls are not checked", e.Event, e.Only))
		case e.Wrapped:
			edited = append(edited, fmt.Sprintf("the command of %s has other commands around it, which may change its answer: %s", e.Event, e.Line))
		}
	}
	switch {
	case len(edited) > 0:
		return strings.Join(edited, "; ")
	case c.Entries > 0:
		return "entries are missing, out of date or duplicated"
	case c.Old == nil:
		return "the file is missing"
	}
	return "the file is not what this version of agent-hooks writes: an older one wrote it, or someone edited it"
}

func (t Target) installLine(scope string) string {
	line := "agent-hooks install " + t.Name
	if scope == "project" {
		line += " --scope project"
	}
	return line
}

// examineCalls checks that the entries' command line works.
func (t Target) examineCalls(ctx context.Context, scope string, entries []Entry) []Finding {
	e := entries[0]
	for _, other := range entries {
		if row := t.Agent.Event(other.Event); row != nil && len(row.Spec()) > 0 && row.Spec()[0] == spec.PreToolCall {
			e = other
			break
		}
	}
	var found []Finding
	called := map[string]bool{}
	for _, other := range append([]Entry{e}, entries...) { // somebody may have moved only some of them
		if program := other.Words[0]; called[program] {
			continue
		}
		called[other.Words[0]] = true
		switch f := t.programOf(scope, other); f.Level {
		case Broken:
			return []Finding{f}
		case Warning:
			found = append(found, f)
		}
	}
	if t.Agent.Converses {
		return append(found, t.handshake(ctx, e))
	}
	if login := t.Getenv("SHELL"); t.LoginShell && t.GOOS != "windows" && login != "" { // which reads the user's profile
		_, stdout, _ := execute(ctx, []string{login, "-lc", "true"}, "")
		if noise := strings.TrimSpace(string(stdout)); noise != "" {
			found = append(found, finding(Broken, fmt.Sprintf("the login shell prints %q before each answer, so %s drops answers in JSON", noise[:min(len(noise), 60)], t.Title), "let the shell's profile print nothing if it is not interactive"))
		}
	}
	return append(found, t.dryEvent(ctx, e))
}

func (t Target) programOf(scope string, e Entry) Finding {
	fix := "agent-hooks install " + t.Name
	if !strings.ContainsAny(e.Words[0], `/\`) {
		if t.program(e.Words[0]) == "" {
			return finding(Broken, e.Words[0]+" is not on PATH, so the entries call nothing", "install it, or put it on PATH")
		}
		windows := slices.ContainsFunc(t.Places, func(p Place) bool { // has a command line of its own for Windows
			return p.Scope() == "project" && (p.whole() || slices.ContainsFunc(p.Entry, func(part agent.Part) bool { return part.Var == agent.CmdLine || part.Var == agent.PowerShellLine }))
		})
		if t.GOOS == "windows" && shell(t.Windows) != posix && scope == "project" && e.Line != "" && !windows {
			return finding(Broken, "the project's entries are command lines for sh, which "+t.Title+" does not use on Windows", "agent-hooks install "+t.Name)
		}
		return Finding{}
	}
	switch _, err := CheckProgram(e.Words[0]); {
	case errors.Is(err, fs.ErrNotExist):
		return finding(Broken, fmt.Sprintf("the entries call a program that cannot run: %s is gone, so no hook runs", e.Words[0]), fix)
	case err != nil:
		return finding(Broken, fmt.Sprintf("the entries call a program that cannot run: %v", err), fix)
	case inNodeModules(e.Words[0]) && !t.stays(e.Words[0]):
		return finding(Warning, fmt.Sprintf("the entries call %s, which npm or a project may remove at any time", e.Words[0]), fix)
	case e.Words[0] == t.copyPath() && t.Running != "" && !sameContent(e.Words[0], t.Running):
		return finding(Warning, fmt.Sprintf("the entries call %s, a copy of another version than this one", e.Words[0]), fix)
	}
	return Finding{}
}

// examineAgent checks the agent as a whole.
func (t Target) examineAgent(r *Report, x Examination) {
	for _, s := range t.Switches {
		level, does := Broken, " disables hooks"
		if s.Says != "" {
			level, does = Warning, ": "+s.Says
		}
		for _, path := range s.Paths {
			if t.isSet(path, s) {
				r.say(level, "", "%s: %s%s", t.Expand(path, s.Home), strings.Join(s.Keys, "."), does)
			}
		}
		if value := t.Getenv(s.Variable); s.Variable != "" && value != "" && value != "0" && value != "false" {
			r.say(level, "", "%s=%s%s", s.Variable, value, does)
		}
	}
	switch entries := t.AllInstalled(); {
	case r.Entries == 0 && len(t.Places) == 0:
		r.say(Note, "", "it has no settings file: its hooks are an argument of the program that embeds it")
	case r.Entries == 0 && (x.Named || !t.Here()):
		r.say(Broken, t.installLine("user"), "it does not call agent-hooks")
	case r.Entries == 0:
		r.say(Note, t.installLine("user"), "it does not call agent-hooks")
	default:
		r.add(t.ownChecks(entries)...)
		if titles := titlesOf(t.Agent.Guests()); titles != "" { // agents that run the same entries (D86)
			r.say(Note, "", "these files are shared: %s can read them too", titles)
		}
		var owners []*agent.Agent
		for _, other := range t.reads() {
			owners = append(owners, agent.Find(other.Agent))
		}
		if titles := titlesOf(owners); titles != "" {
			r.say(Note, "", "it can also read the files of %s", titles)
		}
		if text, fix := t.Unserved(); text != "" {
			r.say(Note, fix, "%s", text)
		}
		t.doubleFiring(r, x)
		for _, e := range t.known(x.Options) {
			// The sum of all timeouts is not a measure: hooks rarely use them, and a run ends unfinished hooks
			// in time. Hooks that were imported from the agent have the timeout that it gave them.
			if longest := x.Timeouts[e.Spec]; longest > e.Timeout {
				r.say(Warning, "give it a shorter timeout, or make it async", "a hook of %s may take %s, but %s waits for %s", e.Spec, longest, t.Title, deadline(e.Timeout))
			}
		}
		for _, event := range slices.Sorted(maps.Keys(x.Hooks)) {
			if t.Agent.EventFor(event) == nil { // (D44)
				r.say(Note, "", "%s has no event for %s, so it never runs %s", t.Title, event, strings.Join(x.Hooks[event], ", "))
			}
		}
		t.firing(r)
	}
	if left := t.Left(); left != "" {
		r.say(Warning, "", "%s", left)
	}
	t.calling(r, x)
	if !t.Here() && r.Entries > 0 {
		r.say(Note, "", "the agent itself was not found on this machine")
	}
	if !t.Live() {
		r.say(Note, "", "the adapter follows the documentation and was not run, so nobody has seen that guards hold in its subagents, background tasks and modes")
		return
	}
	if t.Unguarded != "" {
		r.say(Note, "", "guards hold in subagents, background tasks and modes, except: %s", t.Unguarded)
	}
	if t.Version != "" && olderVersion(r.Verified, t.Version) {
		r.say(Warning, "", "version %s is newer than %s, with which the adapter was last verified (%s)", t.Version, r.Verified, cmp.Or(r.Date, "no date"))
	}
}

// firing reports when hooks last ran, and what might prevent them from running.
func (t Target) firing(r *Report) {
	if r.LastFired != nil {
		r.say(OK, "", "hooks last fired %s", r.LastFired.Local().Format("2006-01-02 15:04:05"))
		return
	}
	r.say(Note, "", "no hook has fired for it yet; to test it: agent-hooks doctor --live %s", t.Name)
	for _, step := range t.Steps {
		if !t.checks(step) && (step.Scope == "" || len(t.Installed(step.Scope)) > 0) {
			r.say(Note, "", "to do by hand, if not already done: %s", step.Text)
		}
	}
}

// checks reports whether the agent's settings say whether a step is done.
func (t Target) checks(step agent.Step) bool {
	return t.Trust != nil && step.Scope == "" && !step.Restarts()
}

// ToDo returns the steps that only a person can do and that are left after an installation for a
// scope. written means that it changed entries.
func (t Target) ToDo(scope string, written bool) (steps []string) {
	for _, step := range t.Steps {
		left := written
		if t.checks(step) {
			left = len(t.ownChecks(t.AllInstalled())) > 0
		}
		if left && (step.Scope == "" || step.Scope == scope) {
			steps = append(steps, step.Text)
		}
	}
	return steps
}

// Count returns a number with its noun.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Unserved returns a sentence about the agents that the program's sessions can run although
// nothing in the settings of those agents calls agent-hooks, and the command for that; "" if
// there is none.
func (t Target) Unserved() (text, fix string) {
	var agents []*agent.Agent
	for _, name := range t.Harnesses {
		if other := t.System.Target(Find(name)); len(other.AllInstalled()) == 0 {
			agents = append(agents, other.Agent)
			fix += " " + name
		}
	}
	if agents == nil {
		return "", ""
	}
	return "the target of a session decides whose hooks run: those with " + titlesOf(agents) + " read that agent's settings, which do not call agent-hooks", "agent-hooks install" + fix
}

// titlesOf returns the names of agents for a sentence.
func titlesOf(agents []*agent.Agent) string {
	var titles []string
	for _, a := range agents {
		titles = append(titles, a.Title)
	}
	if n := len(titles); n > 1 {
		return strings.Join(titles[:n-1], ", ") + " and " + titles[n-1]
	}
	return strings.Join(titles, "")
}

// doubleFiring reports a second way in which the agent runs the hooks. A project's file belongs to
// the team: nobody should empty it for this.
func (t Target) doubleFiring(r *Report, x Examination) {
	byUser, byProject := len(t.Installed("user")) > 0, len(t.Installed("project")) > 0
	if plugins := t.Plugins(); len(plugins) > 0 {
		p := plugins[0]
		switch {
		case len(plugins) > 1:
			r.say(Warning, p.Remove, "every event fires twice: the plugins %s and %s both call agent-hooks", p.ID, plugins[1].ID)
		case byUser:
			r.say(Warning, "keep one of them: agent-hooks uninstall "+t.Name+", or: "+p.Remove, "every event fires twice: your settings and the plugin %s both call agent-hooks", p.ID)
		case byProject:
			r.say(Note, "leave it, or, if you use "+t.Title+" only in projects with entries: "+p.Remove, "every event fires twice here: the project's settings and the plugin %s both call agent-hooks; that costs time, and hooks that send or write something do so twice", p.ID)
		}
	}
	if byUser && byProject {
		r.say(Note, "leave it, or, if you use "+t.Title+" only in projects with entries: agent-hooks uninstall "+t.Name, "every event fires twice here: your settings and the project's both call agent-hooks; that costs time, and hooks that send or write something do so twice")
	}
	for _, other := range t.reads() {
		on := func(s agent.Switch) bool {
			return slices.ContainsFunc(s.Paths, func(path string) bool {
				return t.isSet(path, agent.Switch{Home: s.Home, Keys: []string{other.Setting}, Bad: true})
			})
		}
		if other.Setting != "" && !slices.ContainsFunc(t.Switches, on) {
			continue
		}
		for _, e := range x.Others[other.Agent] {
			if other.Scope == "" || !strings.HasPrefix(e.Path, t.Home+string(os.PathSeparator)+".") {
				r.say(Warning, "switch that off in "+t.Title+", or: agent-hooks uninstall "+t.Name, "events fire twice: it also reads %s, which calls agent-hooks", e.Path)
				break
			}
		}
	}
}

// reads returns the other agents' files that the agent also reads.
func (c *Client) reads() []agent.Reading {
	all := c.Reads
	for name := range strings.FieldsSeq(c.Agent.Guest.Of) {
		if c.Reads == nil {
			all = append(all, agent.Reading{Agent: name})
		}
	}
	return all
}
