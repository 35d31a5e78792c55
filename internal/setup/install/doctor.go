package install

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Finding is one result of a check, with one of the levels.
type Finding = agent.Finding

// The levels of findings.
const (
	OK, Note, Warning, Broken = agent.OK, agent.Note, agent.Warning, agent.Broken
)

func finding(level, text, fix string) Finding { return Finding{Level: level, Text: text, Fix: fix} }

func broken(format string, args ...any) Finding {
	return Finding{Level: Broken, Text: fmt.Sprintf(format, args...)}
}

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
	Findings  []Finding  `json:"findings"`
}

// Broken reports whether any finding is a failure.
func (r Report) Broken() bool {
	for _, f := range r.Findings {
		if f.Level == Broken {
			return true
		}
	}
	return false
}

// Examination is the input of an agent's checks.
type Examination struct {
	Named     bool // the user asked for this agent
	Options        // with the events that hooks use
	LastFired map[string]time.Time
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
			r.add(t.examinePlugins()...)
		} else {
			r.add(t.examineFiles(scope, entries, x)...)
		}
		if len(entries) > 0 {
			r.add(t.examineCalls(ctx, scope, entries)...)
		}
	}
	r.add(t.examineAgent(r, x)...)
	return r
}

func (r *Report) add(findings ...Finding) { r.Findings = append(r.Findings, findings...) }

// examineFiles checks the entries of one scope and the files that contain them.
func (t Target) examineFiles(scope string, entries []Entry, x Examination) []Finding {
	var found []Finding
	for _, a := range t.everyPlace(scope) {
		f, err := t.readFile(a.path)
		switch {
		case err != nil:
			found = append(found, broken("%v", err))
		case f.exists && (len(entries) > 0 || scope == "user"):
			found = append(found, t.voided(a, f)...)
		}
	}
	if len(entries) == 0 {
		return found
	}
	o := t.optionsOf(scope, entries)
	o.Used = x.Used
	changes, err := t.Install(o, true)
	if err != nil {
		return append(found, broken("%v", err))
	}
	stale := false
	for _, c := range changes {
		if c.Changed() {
			stale = true
			found = append(found, finding(Broken, c.Path+": "+staleness(c, entries), t.installLine(scope)))
		}
	}
	if !stale {
		found = append(found, finding(OK, fmt.Sprintf("%s in the %s's settings, present and current", Count(len(entries), "entry", "entries"), scope), ""))
	}
	switch {
	case stale || scope == managed:
	case o.FailClosed:
		found = append(found, finding(OK, ModeClosed, ""))
	case t.CanFailClosed():
		found = append(found, finding(Note, ModeOpen, ""))
	}
	return found
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

// optionsOf returns the options with which the entries were written.
func (t Target) optionsOf(scope string, entries []Entry) Options {
	c := call{program: entries[0].Words[0], args: entries[0].Words[1:]}
	o := Options{Scope: scope, Program: c.program, Ask: c.option("--ask"), Modify: c.option("--modify")}
	o.FailClosed = slices.ContainsFunc(entries, func(e Entry) bool { return e.Closed })
	return o
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
	if noise := t.profileNoise(ctx); noise != "" {
		found = append(found, finding(Broken, fmt.Sprintf("the login shell prints %q before each answer, so %s drops answers in JSON", noise, t.Title), "let the shell's profile print nothing if it is not interactive"))
	}
	return append(found, t.dryEvent(ctx, e))
}

func (t Target) programOf(scope string, e Entry) Finding {
	fix := "agent-hooks install " + t.Name
	if !strings.ContainsAny(e.Words[0], `/\`) {
		if t.program(e.Words[0]) == "" {
			return finding(Broken, e.Words[0]+" is not on PATH, so the entries call nothing", "install it, or put it on PATH")
		}
		if t.GOOS == "windows" && shell(t.Windows) != posix && scope == "project" && e.Line != "" && !t.ownWindowsLine() {
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
func (t Target) examineAgent(r Report, x Examination) []Finding {
	found := t.switchedOff()
	switch entries := t.AllInstalled(); {
	case r.Entries == 0 && len(t.Places) == 0:
		found = append(found, finding(Note, "it has no settings file: its hooks are an argument of the program that embeds it", ""))
	case r.Entries == 0 && (x.Named || !t.Here()):
		found = append(found, finding(Broken, "it does not call agent-hooks", t.installLine("user")))
	case r.Entries == 0:
		found = append(found, finding(Note, "it does not call agent-hooks", t.installLine("user")))
	default:
		found = append(found, t.ownChecks(entries)...)
		found = append(found, t.sharing()...)
		if text, fix := t.Unserved(); text != "" {
			found = append(found, finding(Note, text, fix))
		}
		found = append(found, t.doubleFiring(x)...)
		found = append(found, t.tooLong(x)...)
		found = append(found, t.neverRun(x)...)
		found = append(found, t.firing(r)...)
	}
	if !t.Here() && r.Entries > 0 {
		found = append(found, finding(Note, "the agent itself was not found on this machine", ""))
	}
	return append(found, t.contract(r)...)
}

// firing reports when hooks last ran, and what might prevent them from running.
func (t Target) firing(r Report) []Finding {
	if r.LastFired != nil {
		return []Finding{finding(OK, "hooks last fired "+r.LastFired.Local().Format("2006-01-02 15:04:05"), "")}
	}
	found := []Finding{finding(Note, "no hook has fired for it yet; to test it: agent-hooks doctor --live "+t.Name, "")}
	for _, step := range t.Steps {
		if !t.checks(step) && (step.Scope == "" || len(t.Installed(step.Scope)) > 0) {
			found = append(found, finding(Note, "to do by hand, if not already done: "+step.Text, ""))
		}
	}
	return found
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

// contract reports whether the adapter was verified with the installed version.
func (t Target) contract(r Report) []Finding {
	if !t.Live() {
		return []Finding{finding(Note, "the adapter follows the documentation and was not run, so nobody has seen that guards hold in its subagents, background tasks and modes", "")}
	}
	var found []Finding
	if t.Unguarded != "" {
		found = append(found, finding(Note, "guards hold in subagents, background tasks and modes, except: "+t.Unguarded, ""))
	}
	if t.Version != "" && olderVersion(r.Verified, t.Version) {
		found = append(found, finding(Warning, fmt.Sprintf("version %s is newer than %s, with which the adapter was last verified (%s)", t.Version, r.Verified, cmp.Or(r.Date, "no date")), ""))
	}
	return found
}

// sharing reports which agents run the same entries (D86).
func (t Target) sharing() []Finding {
	var found []Finding
	if titles := titlesOf(t.Agent.Guests()); titles != "" {
		found = append(found, finding(Note, "these files are shared: "+titles+" can read them too", ""))
	}
	var owners []*agent.Agent
	for _, other := range t.reads() {
		owners = append(owners, agent.Find(other.Agent))
	}
	if titles := titlesOf(owners); titles != "" {
		found = append(found, finding(Note, "it can also read the files of "+titles, ""))
	}
	return found
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

// doubleFiring reports a second way in which the agent runs the hooks.
func (t Target) doubleFiring(x Examination) []Finding {
	found := t.twiceByPlugin()
	if len(t.Installed("user")) > 0 && len(t.Installed("project")) > 0 {
		// The project's file belongs to the team: nobody should empty it for this.
		found = append(found, finding(Note, "every event fires twice here: your settings and the project's both call agent-hooks; that costs time, and hooks that send or write something do so twice", "leave it, or, if you use "+t.Title+" only in projects with entries: agent-hooks uninstall "+t.Name))
	}
	for _, other := range t.reads() {
		if other.Setting != "" && !t.isOn(other.Setting) {
			continue
		}
		for _, e := range x.Others[other.Agent] {
			if other.Scope == "" || !strings.HasPrefix(e.Path, t.Home+string(os.PathSeparator)+".") {
				found = append(found, finding(Warning, fmt.Sprintf("events fire twice: it also reads %s, which calls agent-hooks", e.Path), "switch that off in "+t.Title+", or: agent-hooks uninstall "+t.Name))
				break
			}
		}
	}
	return found
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

// isOn reports whether a setting is on.
func (t Target) isOn(setting string) bool {
	return slices.ContainsFunc(t.Switches, func(s agent.Switch) bool {
		return s.Keys != nil && t.isSet(agent.Switch{Path: s.Path, Home: s.Home, Keys: []string{setting}, Bad: true})
	})
}

// tooLong reports events with a hook that may take longer than the agent waits. The sum of all
// timeouts is not a measure: hooks rarely use them, and a run ends unfinished hooks in time.
func (t Target) tooLong(x Examination) []Finding {
	var found []Finding
	for _, e := range t.known(x.Options) {
		// Hooks that were imported from the agent have the timeout that it gave them.
		if longest := x.Timeouts[e.Spec]; longest > e.Timeout {
			found = append(found, finding(Warning, fmt.Sprintf("a hook of %s may take %s, but %s waits for %s", e.Spec, longest, t.Title, deadline(e.Timeout)), "give it a shorter timeout, or make it async"))
		}
	}
	return found
}
