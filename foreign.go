package agenthooks

import (
	"fmt"
	"io"
	"slices"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/async"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// foreign is a run of a hook written for another hook system (D60).
type foreign struct{ *agent.Foreign }

// payload is the input of a foreign hook.
type payload []byte

// WriteTo implements io.WriterTo.
func (p payload) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(p)
	return int64(n), err
}

// foreign prepares a run of a hook written for another hook system. It returns
// nil if the hook uses the format's own protocol.
func (r *runner) foreign(row *Row, event *protocol.Event) *foreign {
	a := agent.Find(row.Hook.Protocol)
	if a == nil {
		return nil
	}
	f := a.Foreign(event, r.options.Caller, agent.Place{Project: r.plan.hooks.Project.Root, WorkDir: r.plan.WorkDir, Hook: row.Hook.Dir, Event: nativeEvent(row.Hook),
		Rebuilt: row.guessed != ""})
	if f == nil {
		return nil
	}
	f.IgnoreEdits = r.options.Modify == Ignore
	return &foreign{f}
}

// nativeEvent returns the other system's event that a hook is written for; ""
// if it does not name one.
func nativeEvent(hook *discovery.Hook) string {
	name, _ := hook.Metadata["native-event"].(string)
	return name
}

// asKnown adds the names that the tool has in the hook's system, because its
// matcher was written for them (D63).
func asKnown(s matcher.Subject, protocol string) matcher.Subject {
	a := agent.Find(protocol)
	if a == nil {
		return s
	}
	s.Names = slices.Clip(s.Names)
	known := slices.Clone(s.Own)
	for i, own := range s.Own {
		name := a.NativeTool(own)
		if !slices.Contains(s.Names, name) {
			s.Names = append(s.Names, name)
		}
		if !slices.ContainsFunc(a.Tools, func(t agent.Tool) bool { return t.Native == own }) {
			known[i] = name
		}
	}
	if guess := s.Guess; guess != nil {
		s.Guess = func() ([]matcher.Guess, []string) {
			tools, values := guess()
			for i := range tools {
				tools[i].Names = append(slices.Clip(tools[i].Names), a.NativeTool(tools[i].Tool))
			}
			return tools, values
		}
	}
	s.Own = known // a negative look-around applies to names of that system
	return s
}

// environ returns the inherited environment with the variables of the other
// system. Variables set by the agent itself take precedence. f may be nil.
func (f *foreign) environ(inherited []string) []string {
	switch {
	case f == nil:
		return slices.Clip(inherited)
	case f.Own:
		return slices.Concat(f.Environ, inherited)
	}
	return slices.Concat(inherited, f.Environ)
}

// judge returns the answer that a hook's exit means. f is nil if the hook uses
// the format's own protocol.
func (f *foreign) judge(event *protocol.Event, hook string, exit protocol.Exit) (protocol.Answer, []string, error) {
	if f == nil {
		return protocol.Judge(event.Type, hook, exit)
	}
	return f.Judge(event, hook, exit)
}

// speaks returns why a hook cannot run on the event with its metadata.protocol,
// nil if it can.
func speaks(hook *discovery.Hook, event spec.EventType) error {
	protocol, native := hook.Protocol, nativeEvent(hook)
	a := agent.Find(protocol)
	if a != nil && native != "" {
		if row := a.Event(native); row == nil || row.Failed != event && !slices.Contains(row.Spec, event) {
			return fmt.Errorf("metadata.native-event %q is not an event of %s for %s", native, a.Name, event)
		}
	}
	if protocol == "" || a != nil && a.EventFor(event) != nil {
		return nil
	}
	if a == nil {
		return fmt.Errorf("metadata.protocol %q is unknown", protocol)
	}
	return fmt.Errorf("metadata.protocol is %s, which has no event for %s", a.Name, event)
}

// label adds the labels that judgeJob needs for a foreign hook.
func (f *foreign) label(label map[string]string) {
	label["protocol"], label["native"] = f.Agent.Name, f.Row.Name
	if f.Own {
		label["own"] = "true"
	}
}

// judgeJob returns the answer that an async hook's exit means.
func judgeJob(job async.Job, exit protocol.Exit) (protocol.Answer, error) {
	hook := job.Label["hook"]
	if a := agent.Find(job.Label["protocol"]); a != nil {
		if row := a.Event(job.Label["native"]); row != nil {
			answer, _, err := a.Judge(row, hook, exit, job.Label["own"] != "")
			return answer, err
		}
	}
	answer, _, err := protocol.Judge(spec.EventType(job.Label["event"]), hook, exit)
	return answer, err
}
