package agenthooks

import (
	"io"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/reading"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// guess returns the guess for the run's current event, nil if the tables
// suffice.
func (r *runner) guess(hook *discovery.Hook, current *protocol.Event) *reading.Guess {
	c := r.plan.callOf(current, hook)
	if c == nil {
		return nil
	}
	return c.Guess()
}

// view returns the current event as a hook reads it, and the guess that it is a
// view of; nil if it is the caller's event. A hook for the calling agent's own
// system reads the agent's own bytes (D61).
func (r *runner) view(row *Row, current *protocol.Event) (*protocol.Event, *reading.Guess) {
	g := r.guess(row.Hook, current)
	if !g.IsFor(row.Hook.Async) {
		return current, nil
	}
	if system := r.plan.hooks.in.script(row.Hook.Protocol); system != nil && row.guessed == "" && system.Sent(r.options.Caller) {
		return current, nil
	}
	tool := row.guessed
	if tool == "" {
		tool = g.Declared
	}
	if event := view(current, g, tool); event != current {
		return event, g
	}
	return current, nil
}

// restore converts a change of the input by a hook that read a view to the
// tool's own keys. A change that cannot be made there refuses the call (D45).
func (r *runner) restore(t *attempt, a protocol.Answer) (protocol.Answer, error) {
	if a.ModifiedInput == nil {
		return a, nil
	}
	input, ok, err := t.guess.Restore(a.ModifiedInput)
	switch {
	case err != nil:
		return a, err
	case ok:
		a.ModifiedInput = input
		return a, nil
	}
	text := string(a.ModifiedInput)
	a.ModifiedInput = nil
	if r.options.Modify == Ignore {
		t.report.warnf("its change is ignored, because the tool has no key of its own for it (--modify=ignore)")
		if a.Decision == protocol.Allow {
			a.Decision, a.Reason = protocol.NoOpinion, ""
		}
		return a, nil
	}
	return protocol.Answer{Decision: protocol.Deny, SystemMessage: a.SystemMessage, Log: a.Log,
		Reason: protocol.Reason([]byte(strings.TrimSpace(a.Reason + "\nthe input must be changed, and the tool has no key of its own for it: " + text)))}, nil
}

// foreign prepares a run of a hook written for another hook system. It returns
// nil if the hook uses the format's own protocol.
func (r *runner) foreign(row *Row, event *protocol.Event) script.Run {
	system := r.plan.hooks.in.script(row.Hook.Protocol)
	if system == nil {
		return nil
	}
	return system.Run(event, r.options.Caller, script.Hook{
		Project: r.plan.hooks.Project.Root, WorkDir: r.plan.WorkDir, Dir: row.Hook.Dir, Event: nativeEvent(row.Hook),
		Process: row.Hook.Process, Rebuilt: row.guessed != "", IgnoreEdits: r.options.Modify == Ignore,
	})
}

// nativeEvent returns the other system's event that a hook is written for; ""
// if it does not name one.
func nativeEvent(hook *discovery.Hook) string {
	name, _ := hook.Metadata["native-event"].(string)
	return name
}

// payload is the input of a foreign hook.
type payload []byte

// WriteTo implements io.WriterTo.
func (p payload) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(p)
	return int64(n), err
}

// parts divides an event for a hook of a system whose tools take one file per
// call: it returns one event for each file that the hook's matcher matches. It
// returns nil if the event needs no division. A call with too many files is an
// error. The matcher has one budget for all parts; those that it does not decide
// within it count as matched (D19).
func (r *runner) parts(row *Row, event *protocol.Event) (parts []*protocol.Event, err error) {
	system := r.plan.hooks.in.script(row.Hook.Protocol)
	if system == nil {
		return nil, nil
	}
	all, err := system.Parts(event, r.options.Caller)
	if err != nil {
		return nil, err
	}
	until := time.Now().Add(spec.MatchBudget)
	for i, part := range all {
		if time.Now().After(until) {
			return append(parts, all[i:]...), nil
		}
		copied := *row
		if r.plan.matches(&copied, part) && copied.matchesWhen(part) {
			parts = append(parts, part)
		}
	}
	return parts, nil
}
