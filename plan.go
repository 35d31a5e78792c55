package agenthooks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/environ"
	"github.com/agent-hooks/agent-hooks/internal/own"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	kept "github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Plan states for each hook on an event's trigger whether it runs, or the first
// condition that failed. Making a plan starts no process, and running it does not
// change it. Not safe for concurrent use.
type Plan struct {
	Event    *protocol.Event
	WorkDir  string   // where the hooks run (D22)
	Rows     []*Row   // in the order in which they run (D7)
	Warnings []string // single lines; they include Hooks.Warnings and the errors of Hooks.Diagnostics
	// Unguarded is the subset of Warnings about hooks that may not run.
	Unguarded []string

	refused string // why Run blocks without running a hook; "" if it does not
	hooks   *Hooks
	own     *own.Files // what the session has made; nil until it is needed
	calls   [2]calls   // for the other hooks and for managed ones, the former for all where no tool is declared
	cleaned func() *environ.Cleaned
}

// session returns the session of the event in the project.
func (p *Plan) session() kept.Session {
	if p.hooks.in.Isolated {
		return kept.Session{}
	}
	return kept.SessionIn(p.hooks.in.State, p.hooks.Project.Root, p.Event.SessionID)
}

// isOwn reports whether the session has made a file, and all that is below it.
func (p *Plan) isOwn(file string) bool {
	if p.own == nil {
		began, ok := p.session().Began()
		if !ok {
			began = time.Now().Add(time.Hour) // nothing was made since
		}
		p.own = own.Since(began)
	}
	return p.own.Has(file)
}

// noteSession keeps when the session began, if a hook needs it. The plan was made before: what was
// made before the first call is not the session's.
func (p *Plan) noteSession() {
	source, _ := p.Event.Field("source")
	switch {
	case p.hooks.records.config == nil:
	case p.Event.Type == spec.PreSession && !slices.Equal(source, []string{"compact"}):
		p.session().Resumed()
	case slices.ContainsFunc(p.Rows, func(r *Row) bool { return passesOwn(r.Hook) }):
		p.session().Note()
	}
}

// Condition is a condition for a hook to run. The conditions are checked in the
// order in which they are declared.
type Condition string

// The conditions. If Valid, Safe, Startable or Depth fails, the hook applies to
// the event but cannot run, which is a failure (D27).
const (
	Trigger    Condition = "trigger"     // its trigger is the event
	Elsewhere  Condition = "managed"     // the agent runs the managed hooks itself (D82)
	Replaced   Condition = "replaced"    // another scope's hook has its name (D6)
	Enabled    Condition = "enabled"     // no hooks.toml disables it (D14)
	Trusted    Condition = "trusted"     // the user has reviewed it, if trust is required (D40)
	Valid      Condition = "valid"       // its HOOK.md is valid (D5)
	Operation  Condition = "native"      // the event is the operation of metadata.native-event (D60)
	ToolMatch  Condition = "tool"        // matcher.tool matches a name of the tool (D17)
	InputMatch Condition = "pattern"     // matcher.pattern matches tool_input (D18)
	WhenMatch  Condition = "when"        // each expression of metadata.when matches its field (D12)
	Safe       Condition = "permissions" // no other user can change it (D39)
	Startable  Condition = "entry-point" // it has an entry point (D11)
	Depth      Condition = "depth"       // at most three levels of hooks that start agents (D22)
)

// Row is one hook in a plan.
type Row struct {
	Hook   *discovery.Hook
	Runs   bool
	Failed Condition // the first condition that failed; "" if it runs
	Saw    string    // the value that the condition saw
	// Failure is the reason why a hook that applies to the event cannot run
	// (D27); nil if it runs or does not apply.
	Failure error
	// Warning is the reason why the hook counts as matched although matching
	// was not possible (D19); "" if it was.
	Warning string
	// Guessed is the reason why a tool that no table knows counts as one that the
	// matcher names (D87); "" if it matched by its own name.
	Guessed string
	// Found is the text in which the pattern was found or may be; "" if there is no
	// pattern, or the text is not determined. Unknown is the part of it because of which
	// that is not decided, "" if it is.
	Found, Unknown string
	// Passed is the reason why the hook has no opinion although its pattern may match
	// (D94); "" if it matches.
	Passed string
	// Own are the paths in which the pattern was found, and which do not count because
	// the session has made them (D156); "" for none. The pattern does not match.
	Own string
	// Unvouched is the reason why a constant allow does not count (D78); "" if it
	// counts, or the hook has no such answer.
	Unvouched string

	void    bool   // Unvouched holds for every call
	guessed string // the canonical tool of Guessed; "" if only the input matched
	entry   discovery.Entry
	checked bool // entry and the permissions
	matcher *matcher.Matcher
	when    []*matcher.Matcher // of Hook.When
}

// Plan decides which hooks run on the event. Other goroutines must not use the
// event during the call. Without an event, or hooks from Load, the plan blocks
// (D104).
func (h *Hooks) Plan(event *protocol.Event) *Plan {
	if h == nil {
		h = &Hooks{}
	}
	missing := event == nil
	if missing {
		event = &protocol.Event{}
	}
	p := &Plan{Event: event.WithWorkDir(h.Project.Root), Warnings: slices.Clone(h.Warnings), hooks: h}
	for _, d := range h.Diagnostics {
		if d.Severity == spec.Error {
			p.Warnings = append(p.Warnings, shown.OneLine(d.String()))
		}
	}
	switch {
	case h.config == nil:
		p.refused = "no hooks were loaded; call Load, or NewLive and its Load"
	case missing:
		p.refused = "there is no event to plan for; protocol.ParseEvent makes one"
	case !event.Type.Valid():
		p.refused = fmt.Sprintf("%q is not an event of the format", event.Type)
	}
	if p.refused != "" {
		p.Warnings = append(p.Warnings, p.refused+"; the operation is refused")
	}
	concerned := append(p.unread(h.Table[""]), h.Table[event.Type]...)
	p.Unguarded = slices.Clip(p.Warnings)
	p.WorkDir = p.findWorkDir()
	p.cleaned = p.clean()
	if h.in.Agent.Approves && event.Type == spec.PermissionRequest {
		for _, hook := range h.Table[spec.PreToolCall] { // PicoClaw also asks them to approve tool calls (SPEC.md 4.10)
			if hook.Protocol == h.in.Agent.Name && !hook.Async && nativeEvent(hook) == "" {
				concerned = append(concerned, hook)
			}
		}
	}
	rows, until := make([]Row, len(concerned)), h.in.Until
	if until.IsZero() { // hooks may be loaded once for many events
		until = time.Now().Add(spec.MaxLoad)
	}
	for i, hook := range concerned {
		rows[i].Hook = hook
		p.decide(&rows[i], p.Event, until)
		p.Rows = append(p.Rows, &rows[i])
	}
	return p
}

// PlanOf returns the plan for one hook, which need not be one of h.
func (h *Hooks) PlanOf(event *protocol.Event, hook *discovery.Hook) *Plan {
	table := discovery.Table{}
	for _, trigger := range hook.Events() {
		table[trigger] = []*discovery.Hook{hook}
	}
	return h.WithTable(table).Plan(event)
}

// Only returns the plan for one of its rows.
func (p *Plan) Only(row *Row) *Plan {
	one := *p
	one.Rows = []*Row{row}
	return &one
}

// Moved returns a plan with the same decisions, in which the hooks read another event and run
// in another directory.
func (p *Plan) Moved(event *protocol.Event, dir string) *Plan {
	moved := *p
	moved.Event, moved.WorkDir = event, dir
	moved.cleaned = moved.clean()
	return &moved
}

// maxAlike limits the warnings of one kind about a project's hooks, because a
// project may have any number of hooks.
const maxAlike = 20

// unread adds warnings about hooks whose trigger cannot be read, and returns those
// that are managed, which are failures on every event (D82).
func (p *Plan) unread(hooks []*discovery.Hook) (managed []*discovery.Hook) {
	said := map[discovery.Scope]int{}
	for _, hook := range hooks {
		if isManaged(hook) {
			managed = append(managed, hook)
			continue
		}
		said[hook.Scope]++
		if hook.Scope == discovery.UserScope || said[hook.Scope] <= maxAlike {
			p.Warnings = append(p.Warnings, fmt.Sprintf("hook %s: its trigger cannot be read, so it never runs: %s", hook.Shown(), shown.OneLine(hook.TriggerCause())))
		}
	}
	if more := said[discovery.ProjectScope] - maxAlike; more > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%d more hooks of the project have a trigger that cannot be read, so they never run", more))
	}
	return managed
}

// findWorkDir returns the first existing directory that the event names,
// otherwise the project's root (D22).
func (p *Plan) findWorkDir() string {
	for _, s := range p.Event.WorkDirs {
		if s.Dir == "" {
			continue
		}
		if dir := paths.Named(s.Dir); filepath.IsAbs(dir) && !strings.ContainsRune(dir, 0) {
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				return dir
			}
		}
		p.Warnings = append(p.Warnings, fmt.Sprintf("%s %q is not a directory; hooks run elsewhere", s.Key, shown.Short(s.Dir)))
	}
	return p.hooks.Project.Root
}

// decide fills in row for event. After until, unless it is zero, the project's
// hooks are not checked.
func (p *Plan) decide(row *Row, event *protocol.Event, until time.Time) {
	row.Runs, row.Failed, row.Saw, row.Failure, row.Warning, row.Guessed, row.guessed = false, "", "", nil, "", "", ""
	row.Found, row.Unknown, row.Passed, row.Own, row.Unvouched = "", "", "", "", ""
	hook := row.Hook
	if isManaged(hook) && p.hooks.elsewhere != "" && event == p.Event {
		row.fail(Elsewhere, p.hooks.elsewhere, nil)
		return
	}
	switch hook.State {
	case discovery.Overridden:
		row.fail(Replaced, hook.Cause, nil)
	case discovery.Disabled:
		row.fail(Enabled, hook.Cause, nil)
	case discovery.Untrusted, discovery.Missing:
		// Not a failure: a repository must not be able to make its hooks into
		// anyone's guards.
		row.fail(Trusted, hook.Cause, nil)
	case discovery.Invalid:
		row.fail(Valid, hook.Cause, fmt.Errorf("invalid hook: %s", hook.Cause))
	case discovery.Refused:
		row.fail(Safe, hook.Cause, fmt.Errorf("refused: %s", hook.Cause))
	default: // the expensive conditions: the matcher and the hook's files
		// If planning has taken too long, the project's hooks, which are untrusted, are not checked and,
		// if there are managed hooks, the user's neither (D82).
		yields := hook.Scope == discovery.ProjectScope || hook.Scope == discovery.UserScope && p.hooks.managed != nil
		if yields && !until.IsZero() && time.Now().After(until) {
			row.fail(Startable, string(errShare), errShare)
			return
		}
		if !p.performs(row, event) || !p.matches(row, event) || !row.matchesWhen(event) {
			return
		}
		p.checkReady(row)
		if row.Runs && hook.Answer != nil && hook.Answer.Decision == manifest.Allow {
			never := neverVouched(hook)
			row.Unvouched, row.void = vouch(row, p.callOf(event, hook), never), never != ""
		}
	}
}

func (r *Row) fail(c Condition, saw string, failure error) {
	r.Failed, r.Saw, r.Failure = c, saw, failure
}

// checkReady checks the conditions that apply only to matching hooks: who can change
// the hook, its entry point, the depth.
func (p *Plan) checkReady(row *Row) {
	if !row.checked {
		path := ""
		if row.Hook.Answer == nil { // otherwise nothing is started, and the environment need not be cleaned
			path = p.path(row.Hook)
		}
		entry, refused, err := row.Hook.Ready(path)
		if refused != nil {
			row.fail(Safe, refused.Error(), fmt.Errorf("refused: %w", refused))
			return
		}
		if err != nil {
			row.fail(Startable, err.Error(), err)
			return
		}
		row.entry, row.checked = entry, true
	}
	if row.Hook.Answer != nil {
		row.Runs = true // at any depth: it starts nothing
		return
	}
	if name := row.Hook.Protocol; name != "" {
		err := fmt.Errorf("metadata.protocol %q is unknown", name)
		if system := p.hooks.in.script(name); system != nil {
			err = system.Check(p.Event.Type, nativeEvent(row.Hook))
		}
		if err != nil {
			row.fail(Valid, err.Error(), err)
			return
		}
	}
	if p.hooks.depth >= spec.MaxDepth {
		row.fail(Depth, fmt.Sprint(p.hooks.depth), fmt.Errorf("hooks already run %d levels deep (AGENT_HOOKS_DEPTH)", p.hooks.depth))
		return
	}
	row.Runs = true
}

// Concerned reports whether any hook runs, or applies and cannot run.
func (p *Plan) Concerned() bool {
	return slices.ContainsFunc(p.Rows, func(r *Row) bool { return r.Runs || r.Failure != nil })
}

// Starts reports whether a hook that runs starts a process. A constant answer does
// not (D77).
func (p *Plan) Starts() bool {
	return slices.ContainsFunc(p.Rows, func(r *Row) bool { return r.Runs && r.Hook.Answer == nil })
}

// Others returns a row for each hook with another trigger or an unreadable one,
// sorted by event and in run order.
func (p *Plan) Others() []*Row {
	var rows []*Row
	add := func(event spec.EventType) {
		for _, hook := range p.hooks.Table[event] {
			if hook.Trigger != event || slices.Contains(hook.OtherTriggers, p.Event.Type) { // in Rows, or at its trigger
				continue
			}
			row := &Row{Hook: hook}
			row.fail(Trigger, string(p.Event.Type), nil)
			rows = append(rows, row)
		}
	}
	for _, info := range spec.Events() {
		if info.Event != p.Event.Type {
			add(info.Event)
		}
	}
	add("")
	return slices.DeleteFunc(rows, func(r *Row) bool { return r.Hook.Trigger == "" && isManaged(r.Hook) }) // in Rows

}
