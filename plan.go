package agenthooks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Plan states for each hook on an event's trigger whether it runs, or the first
// condition that failed. Making a plan starts no process.
type Plan struct {
	Event    *protocol.Event
	WorkDir  string   // where the hooks run (D22)
	Rows     []*Row   // in the order in which they run (D7)
	Warnings []string // single lines
	// Unguarded is the subset of Warnings about hooks that may not run.
	Unguarded []string

	hooks   *Hooks
	until   time.Time // after this time the project's hooks are not checked; zero: no limit
	subject *subject  // nil if no hook has a matcher
}

// Condition is a condition for a hook to run. The conditions are checked in the
// order in which they are declared.
type Condition string

// The conditions. If Valid, Safe, Startable or Depth fails, the hook applies to
// the event but cannot run, which is a failure (D27).
const (
	Trigger    Condition = "trigger"     // its trigger is the event
	Replaced   Condition = "replaced"    // another scope's hook has its name (D6)
	Enabled    Condition = "enabled"     // no hooks.toml disables it (D14)
	Trusted    Condition = "trusted"     // the user has reviewed it, if trust is required (D40)
	Valid      Condition = "valid"       // its HOOK.md is valid (D5)
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
	// Notice is a message about a hook that runs; "" for none.
	Notice string

	entry   discovery.Entry
	matcher *matcher.Matcher
	when    []*matcher.Matcher // of Hook.When
}

// Plan decides which hooks run on the event. Other goroutines must not use the
// event during the call.
func (h *Hooks) Plan(event *protocol.Event) *Plan {
	p := &Plan{Event: event.WithWorkDir(h.Project.Root), Warnings: slices.Clone(h.Warnings), hooks: h, until: h.planUntil(time.Now())}
	for _, d := range h.Diagnostics {
		if d.Severity == spec.Error {
			p.Warnings = append(p.Warnings, oneLine(d.String()))
		}
	}
	p.warnTriggers(h.Table[""])
	p.Unguarded = slices.Clip(p.Warnings)
	p.WorkDir = p.findWorkDir()
	concerned := h.Table[event.Type]
	if len(concerned) > 0 && event.Type.IsTool() {
		p.subject = newSubject(p.Event)
	}
	rows := make([]Row, len(concerned))
	for i, hook := range concerned {
		rows[i].Hook = hook
		p.decide(&rows[i], p.Event)
		p.Rows = append(p.Rows, &rows[i])
	}
	p.until = time.Time{}
	return p
}

// mostAlike limits the warnings of one kind about a project's hooks, because a
// project may have any number of hooks.
const mostAlike = 20

// warnTriggers adds warnings about hooks whose trigger cannot be read.
func (p *Plan) warnTriggers(hooks []*discovery.Hook) {
	said := map[discovery.Scope]int{}
	for _, hook := range hooks {
		if said[hook.Scope]++; hook.Scope == discovery.UserScope || said[hook.Scope] <= mostAlike {
			p.Warnings = append(p.Warnings, fmt.Sprintf("hook %s: its trigger cannot be read, so it never runs: %s", hook.Shown(), oneLine(hook.TriggerCause())))
		}
	}
	if more := said[discovery.ProjectScope] - mostAlike; more > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%d more hooks of the project have a trigger that cannot be read, so they never run", more))
	}
}

// findWorkDir returns the first existing directory that the event names,
// otherwise the project's root (D22).
func (p *Plan) findWorkDir() string {
	for _, s := range p.Event.WorkDirs {
		if s.Dir == "" {
			continue
		}
		if filepath.IsAbs(s.Dir) && !strings.ContainsRune(s.Dir, 0) {
			if info, err := os.Stat(s.Dir); err == nil && info.IsDir() {
				return s.Dir
			}
		}
		p.Warnings = append(p.Warnings, fmt.Sprintf("%s %q is not a directory; hooks run elsewhere", s.Key, short(s.Dir)))
	}
	return p.hooks.Project.Root
}

// decide fills in row for event.
func (p *Plan) decide(row *Row, event *protocol.Event) {
	row.Runs, row.Failed, row.Saw, row.Failure, row.Warning = false, "", "", nil, ""
	hook := row.Hook
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
	default:
		p.look(row, event)
	}
}

// look checks the expensive conditions: the matcher and the hook's files.
func (p *Plan) look(row *Row, event *protocol.Event) {
	switch {
	case p.late(row.Hook):
		row.fail(Startable, errShare.Error(), fmt.Errorf("%w: %w", errTimeout, errShare))
	case p.matches(row, event) && row.fits(event):
		p.ready(row)
	}
}

func (r *Row) fail(c Condition, saw string, failure error) {
	r.Failed, r.Saw, r.Failure = c, saw, failure
}

// matches checks the matcher, compiling it on demand.
func (p *Plan) matches(row *Row, event *protocol.Event) bool {
	hook := row.Hook
	if !event.Type.IsTool() || hook.Tool == "" && hook.Pattern == "" {
		return true
	}
	if row.matcher == nil {
		row.matcher = p.hooks.matchers.of(hook)
	}
	subject := p.subject
	if subject == nil || subject.event != event {
		subject = newSubject(event) // the input was changed
	}
	result := row.matcher.Match(asKnown(subject.Subject, hook.Protocol))
	row.Warning = result.Warning
	switch {
	case result.Err != nil:
		row.fail(Valid, result.Err.Error(), fmt.Errorf("invalid hook: %w", result.Err))
	case result.Failed == "tool":
		row.fail(ToolMatch, subject.names, nil)
	case result.Failed == "pattern":
		row.fail(InputMatch, subject.input(), nil)
	}
	return result.Matched
}

// fits checks metadata.when.
func (r *Row) fits(event *protocol.Event) bool {
	if r.when == nil {
		for _, c := range r.Hook.When {
			r.when = append(r.when, matcher.New("", c.Pattern))
		}
	}
	for i, c := range r.Hook.When {
		values, undecided := event.Field(c.Field)
		if len(values) == 0 && undecided == "" {
			continue // an absent field counts as matched
		}
		subject := matcher.Subject{Values: values, InputUnknown: undecided}
		if len(values) > 0 {
			subject.Text = values[0]
		}
		result := r.when[i].Match(subject)
		if result.Warning != "" {
			r.Warning = fmt.Sprintf("metadata.when.%s: %s", c.Field, result.Warning)
		}
		if result.Err != nil {
			r.fail(Valid, result.Err.Error(), fmt.Errorf("invalid hook: metadata.when.%s: %w", c.Field, result.Err))
		} else if !result.Matched {
			r.fail(WhenMatch, fmt.Sprintf("%s: %s", c.Field, short(strings.Join(values, ", "))), nil)
		}
		if !result.Matched {
			return false
		}
	}
	return true
}

// subject is the input of the matchers, made once for all rows of an event.
type subject struct {
	matcher.Subject
	event *protocol.Event
	names string // for messages
	shown string // the input, for messages; "" until needed
}

func newSubject(event *protocol.Event) *subject {
	s := &subject{Subject: subjectOf(event, false), event: event}
	s.names = strings.Join(s.Names, ", ")
	s.Input = func() ([]string, string, string) {
		in := event.Input()
		return in.Values, in.Text, in.Unknown
	}
	return s
}

func (s *subject) input() string {
	if s.shown == "" {
		s.shown = short(s.event.Input().Text)
	}
	return s.shown
}

// subjectOf returns the input of a matcher. The tool input is decoded only if
// withInput is set.
func subjectOf(event *protocol.Event, withInput bool) matcher.Subject {
	var s matcher.Subject
	s.Own, s.NamesUnknown = event.ToolNames()
	for _, name := range append(slices.Clip(s.Own), event.OtherToolNames()...) {
		s.Names = append(s.Names, spec.ToolNames(name)...)
	}
	if withInput {
		in := event.Input()
		s.Values, s.Text, s.InputUnknown = in.Values, in.Text, in.Unknown
	}
	return s
}

// ready checks the conditions that apply only to matching hooks: who can change
// the hook, its entry point, the depth.
func (p *Plan) ready(row *Row) {
	if row.entry.Script == "" {
		entry, refused, err := row.Hook.Ready(p.hooks.path)
		if refused != nil {
			row.fail(Safe, refused.Error(), fmt.Errorf("refused: %w", refused))
			return
		}
		if err != nil {
			row.fail(Startable, err.Error(), err)
			return
		}
		row.entry = entry
		row.Notice = row.Hook.Notice
		if row.Hook.Late != nil {
			row.Notice = row.Hook.Late()
		}
	}
	if err := speaks(row.Hook, p.Event.Type); err != nil {
		row.fail(Valid, err.Error(), err)
		return
	}
	if p.hooks.depth >= spec.MaxDepth {
		row.fail(Depth, fmt.Sprint(p.hooks.depth), fmt.Errorf("hooks already run %d levels deep (AGENT_HOOKS_DEPTH)", p.hooks.depth))
		return
	}
	row.Runs = true
}

// short shortens a value so that it fits in a message of one line.
func short(s string) string {
	const most = 200
	s = strings.ToValidUTF8(s[:min(len(s), most+utf8.UTFMax)], "�")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// Concerned reports whether any hook runs, or applies and cannot run.
func (p *Plan) Concerned() bool {
	return slices.ContainsFunc(p.Rows, func(r *Row) bool { return r.Runs || r.Failure != nil })
}

// Others returns a row for each hook with another trigger or an unreadable one,
// sorted by event and in run order.
func (p *Plan) Others() []*Row {
	var rows []*Row
	add := func(event spec.EventType) {
		for _, hook := range p.hooks.Table[event] {
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
	return rows
}
