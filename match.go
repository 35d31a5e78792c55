package agenthooks

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/reading"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// matches checks the matcher, compiling it on demand.
func (p *Plan) matches(row *Row, event *protocol.Event) bool {
	hook := row.Hook
	if !event.Type.IsTool() || hook.Tool == "" && hook.Pattern == "" {
		return true
	}
	if row.matcher == nil {
		known, ok := p.hooks.matchers.Load(hook)
		if !ok {
			known, _ = p.hooks.matchers.LoadOrStore(hook, newMatcher(hook))
		}
		row.matcher = known.(*matcher.Matcher)
	}
	c := p.callOf(event, hook)
	s := p.searchedBy(hook, c)
	var made []string // what counts as the session's own
	if passesOwn(hook) {
		s.Except = func(found *matcher.Passage) bool {
			isOwn := found.File != "" && p.isOwn(found.File)
			if isOwn {
				made = append(made, "`"+found.Text+"`")
			}
			return isOwn
		}
	}
	var unread *string // why some of the call cannot be read, if that passes the hook
	if search := s.Passages; passes(hook) && search != nil && hook.Match != manifest.UnknownMatch {
		unread = new(string)
		s.Passages = func() (passages []matcher.Passage, unknown string) {
			passages, *unread = search()
			return passages, event.Input().Unknown
		}
	}
	result := row.matcher.Match(s)
	row.Warning, row.guessed, row.Found, row.Unknown = result.Warning, result.Guessed, result.Found, result.Unknown
	if result.Failed == "pattern" && unread != nil && cmp.Or(result.Passed, *unread) != "" {
		row.Passed = cmp.Or(result.Passed, *unread)
		return true
	}
	if result.Guessed != "" {
		row.Guessed = c.Guess().Why(result.Guessed)
	} else if result.GuessedInput {
		row.Guessed = c.Guess().Why("")
	}
	switch {
	case result.Err != nil:
		row.fail(Valid, result.Err.Error(), fmt.Errorf("invalid hook: %w", result.Err))
	case result.Failed == "tool":
		row.fail(ToolMatch, c.Names(), nil)
	case result.Failed == "pattern":
		row.fail(InputMatch, searched(hook, c), nil)
		row.Own = shown.Short(strings.Join(made, ", "))
	}
	return result.Matched
}

// searchedBy returns what a hook's matcher is matched against.
func (p *Plan) searchedBy(hook *discovery.Hook, c *facts) matcher.Subject {
	s := c.Subject()
	if search := passagesOf(hook, c); search != nil {
		s.Passages = func() ([]matcher.Passage, string) { return caught(search) }
	}
	if hook.Async || c.event.Type != spec.PreToolCall {
		s.Guess = nil
	}
	return asKnown(s, p.hooks.in.script(hook.Protocol))
}

// caught returns a search after whose panic the call counts as unreadable: a mistake in reading one
// call must not end the run, which would let the call pass.
func caught(search func() ([]matcher.Passage, string)) (passages []matcher.Passage, unknown string) {
	defer func() {
		if p := recover(); p != nil {
			passages, unknown = nil, fmt.Sprintf("the call cannot be read: internal error: %v", p)
		}
	}()
	return search()
}

// callOf returns the facts about the call of an event with a tool, which may be
// changed; nil for any other event. Managed hooks have their own if tools are declared:
// only the managed hooks.toml declares tools for them (D82).
func (p *Plan) callOf(event *protocol.Event, hook *discovery.Hook) *facts {
	if !event.Type.IsTool() {
		return nil
	}
	own, tools := 0, p.hooks.ofHook(hook).Tools()
	if isManaged(hook) && (len(tools) > 0 || len(p.hooks.configuration().Tools()) > 0) {
		own = 1
	}
	kept := &p.calls[own].ofPlan
	if event != p.Event {
		kept = &p.calls[own].changed
	}
	if *kept == nil || (*kept).event != event {
		*kept = factsOf(event, reading.Around{
			Declared: tools, Bash: p.hooks.in.Agent.Bash, GOOS: runtime.GOOS,
			Home: p.hooks.in.Home, Dir: p.WorkDir, Project: p.hooks.Project.Root,
		})
	}
	return *kept
}

// facts are what is read of the call of an event.
type facts struct {
	*reading.Call
	event   *protocol.Event
	unknown string // why the tool's names cannot be decided; "" if they can
	subject matcher.Subject
}

func factsOf(event *protocol.Event, around reading.Around) *facts {
	f := &facts{event: event}
	sent := reading.Sent{
		Canonical: event.OtherToolNames(), Input: event.ToolInput(), Inputs: event.ToolInputs(), Before: event.Type == spec.PreToolCall,
		Unread: func() string { return event.Input().Unknown },
	}
	sent.Own, f.unknown = event.ToolNames()
	f.Call = reading.Of(sent, around)
	return f
}

// Subject returns what a matcher is matched against, without the passages, which
// depend on the hook.
func (f *facts) Subject() matcher.Subject {
	if f.subject.Input == nil {
		f.subject = matcher.Subject{Own: f.Own, Names: f.Tools, NamesUnknown: f.unknown}
		f.subject.Input = func() ([]string, string, string) {
			in := f.event.Input()
			return in.Values, in.Text, in.Unknown
		}
		f.subject.Guess = func() (tools []matcher.Guess, values []string) {
			g := f.Guess()
			if g == nil {
				return nil, nil
			}
			for _, tool := range g.Tools() {
				tools = append(tools, matcher.Guess{Tool: tool, Names: spec.ToolNames(tool)})
			}
			return tools, g.Values()
		}
	}
	return f.subject
}

// view returns the event as a hook reads it: with the canonical keys of a guess and, if
// tool is not "", as a call of that tool.
func view(event *protocol.Event, g *reading.Guess, tool string) *protocol.Event {
	input := g.Input()
	switch {
	case tool != "" && input == nil:
		return event.AsTool(tool, event.ToolInput()).WithField("native_tool_name", rawjson.AppendText(nil, g.Name))
	case tool != "":
		return event.AsTool(tool, input).WithField("native_tool_name", rawjson.AppendText(nil, g.Name))
	case input != nil:
		return event.WithInput(input)
	}
	return event
}

// calls are the facts about the plan's event and a changed one; nil until a hook's
// matcher needs them.
type calls struct{ ofPlan, changed *facts }

// passagesOf returns what a hook's pattern is searched in instead of the values (D78);
// nil for the values.
func passagesOf(hook *discovery.Hook, c *facts) func() ([]matcher.Passage, string) {
	switch {
	case hook.Match == "" || hook.Match == manifest.Values:
		return nil
	case hook.Match != manifest.Paths || hook.Answer == nil || hook.Answer.Decision != manifest.Allow:
		return func() ([]matcher.Passage, string) { return c.Passages(hook.Match, hook.Access, hook.Marked) }
	}
	return func() (passages []matcher.Passage, unknown string) { // an allow is searched in the one names of paths
		texts, _ := c.Covered(true)
		for _, text := range texts {
			passages = append(passages, matcher.Passage{Text: text})
		}
		return passages, c.event.Input().Unknown
	}
}

// performs checks whether the event is the operation for which the hook is
// written, where the hook's system has several for one trigger (D60).
func (p *Plan) performs(r *Row, event *protocol.Event) bool {
	system, native := p.hooks.in.script(r.Hook.Protocol), nativeEvent(r.Hook)
	if system == nil || native == "" {
		return true
	}
	sent, yes := system.Concerns(event, native)
	if !yes {
		r.fail(Operation, cmp.Or(shown.Short(sent), "another operation"), nil)
	}
	return yes
}

// matchesWhen checks metadata.when.
func (r *Row) matchesWhen(event *protocol.Event) bool {
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
			r.fail(WhenMatch, fmt.Sprintf("%s: %s", c.Field, shown.Short(strings.Join(values, ", "))), nil)
		}
		if !result.Matched {
			return false
		}
	}
	return true
}

// searched returns what a hook's pattern was searched in, for messages.
func searched(hook *discovery.Hook, c *facts) string {
	search := passagesOf(hook, c)
	if search == nil {
		return shown.Short(c.event.Input().Text)
	}
	found, _ := search()
	var texts []string
	for _, l := range found {
		texts = append(texts, "`"+l.Text+"`")
	}
	none := "of the call: none"
	if hook.Match == manifest.Paths && hook.Access != 0 {
		none += " with access " + hook.Access.String()
	}
	return shown.Short(cmp.Or(strings.Join(texts, ", "), none))
}

// Subject returns the input of the matchers for the plan's event, including the
// tool input. It is empty on an event without a tool.
func (p *Plan) Subject() matcher.Subject {
	if !p.Event.Type.IsTool() {
		return matcher.Subject{}
	}
	c, in := factsOf(p.Event, reading.Around{Declared: p.hooks.configuration().Tools()}), p.Event.Input()
	return matcher.Subject{Own: c.Own, Names: c.Tools, NamesUnknown: c.unknown, Values: in.Values, Text: in.Text, InputUnknown: in.Unknown}
}

// Passages returns the commands or paths of the plan's event, in which a hook's pattern
// is searched (D78, D95); none for a pattern that is searched in the values. note is a
// single line about what was not or could not be read; "" for none.
func (p *Plan) Passages(hook *discovery.Hook) (passages []string, note string) {
	c := p.callOf(p.Event, hook)
	if c == nil {
		return nil, ""
	}
	search := passagesOf(hook, c)
	if search == nil {
		return nil, ""
	}
	found, note := search()
	for _, l := range found {
		passages = append(passages, l.Text)
	}
	if hook.Match != manifest.Paths && c.Commands().Searched && note == "" {
		note = "PowerShell and cmd are not parsed: the text between separators is searched"
	}
	return passages, note
}

// asKnown adds the names that the tool has in the hook's system, because its
// matcher was written for them (D63).
func asKnown(s matcher.Subject, system script.System) matcher.Subject {
	if system == nil {
		return s
	}
	s.Names = slices.Clip(s.Names)
	known := slices.Clone(s.Own)
	for i, own := range s.Own {
		name, isNative := system.Tool(own)
		if !slices.Contains(s.Names, name) {
			s.Names = append(s.Names, name)
		}
		if !isNative {
			known[i] = name
		}
	}
	if guess := s.Guess; guess != nil {
		s.Guess = func() ([]matcher.Guess, []string) {
			tools, values := guess()
			for i := range tools {
				name, _ := system.Tool(tools[i].Tool)
				tools[i].Names = append(slices.Clip(tools[i].Names), name)
			}
			return tools, values
		}
	}
	s.Own = known // a negative look-around applies to names of that system
	return s
}

// passes reports whether what is undecided passes a hook. A HOOK.md with an error
// has no such effect.
func passes(hook *discovery.Hook) bool { return hook.Passes() && !hasError(hook) }

// passesOwn reports whether what the session has made passes a hook (D156). A managed one must not
// depend on what a user can write (D100).
func passesOwn(hook *discovery.Hook) bool {
	return hook.PassesOwn() && !hasError(hook) && !isManaged(hook)
}

func hasError(hook *discovery.Hook) bool {
	return slices.ContainsFunc(hook.Diagnostics, func(d spec.Diagnostic) bool { return d.Severity == spec.Error })
}

// newMatcher returns a hook's matcher, with the exceptions of the user's
// hooks.toml and further ones. In paths, case counts only where the system
// distinguishes it.
func newMatcher(hook *discovery.Hook, unless ...string) *matcher.Matcher {
	pattern := hook.Pattern
	if hook.Match == manifest.Paths && pattern != "" && (runtime.GOOS == "darwin" || runtime.GOOS == "windows") {
		pattern = "(?i)" + pattern
	}
	m := matcher.New(hook.Tool, pattern)
	if passes(hook) {
		m.PassUndecided()
	}
	m.Unless(append(slices.Clip(hook.Unless), unless...)) // hooks.toml reports those that do not compile
	return m
}
