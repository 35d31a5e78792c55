package main

import (
	"fmt"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/explain"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/author/trial"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/watch"
	"github.com/agent-hooks/agent-hooks/spec"
)

// The output of watch --json: one object per line, whose key "kind" names its kind. More keys
// and kinds may be added.

// watchLine contains the first keys of each line.
type watchLine struct {
	Time time.Time `json:"time"`
	Kind string    `json:"kind"` // watching, warning, fixed, hook, verdict or cases
}

// hookNamed identifies the hook of a line.
type hookNamed struct {
	Hook  string          `json:"hook"`
	Scope discovery.Scope `json:"scope"`
	Dir   string          `json:"dir"`
}

// watchingLine comes first.
type watchingLine struct {
	watchLine
	Hooks       int            `json:"hooks"`
	Directories []string       `json:"directories"`     // directories of hooks, existing or not
	Event       spec.EventType `json:"event,omitempty"` // the event on which changed hooks run
	InPlace     bool           `json:"in_place,omitempty"`
	Poll        bool           `json:"poll,omitempty"`
}

// warningLine is a warning about the hooks as a whole. A line of kind "fixed" repeats an
// earlier warning that no longer applies.
type warningLine struct {
	watchLine
	Text string `json:"text"`
}

// hookLine describes a hook, at the start and after each change.
type hookLine struct {
	watchLine
	hookNamed
	Change      string            `json:"change"`          // present (at first), added, changed or removed
	Files       []string          `json:"files,omitempty"` // that changed, relative to dir
	State       discovery.State   `json:"state,omitempty"` // not for a removed hook
	Cause       string            `json:"cause,omitempty"`
	Kept        bool              `json:"kept,omitempty"`    // it is invalid; watch runs its last valid version, agents do not
	Dropped     bool              `json:"dropped,omitempty"` // it is invalid, and its last valid version is no longer available
	Now         string            `json:"now,omitempty"`     // the effect for agents meanwhile
	Notice      string            `json:"notice,omitempty"`
	Diagnostics []spec.Diagnostic `json:"diagnostics,omitempty"`
}

// verdictLine is the result of a changed hook on the event.
type verdictLine struct {
	watchLine
	hookNamed
	Because  string                 `json:"because,omitempty"` // why it did not run
	Report   *agenthooks.HookReport `json:"report,omitempty"`  // as in the report of run
	Warnings []string               `json:"warnings,omitempty"`
}

// casesLine is the result of a changed hook's test cases.
type casesLine struct {
	watchLine
	hookNamed
	Passed   int                `json:"passed"`
	Failed   int                `json:"failed"` // and broken
	Problems []spec.Diagnostic  `json:"problems,omitempty"`
	Notes    []string           `json:"notes,omitempty"`
	Cases    []suite.CaseReport `json:"cases"` // as in test --json
}

func (w *watching) line(kind string) watchLine {
	return watchLine{time.Now().Round(time.Millisecond), kind}
}

func named(h *discovery.Hook) hookNamed { return hookNamed{h.Shown(), h.Scope, h.Dir} }

// emit prints one line. If that fails, the watch ends.
func (w *watching) emit(line any) {
	if _, err := fmt.Fprintln(w.env.Stdout, term.LineJSON(line)); err != nil {
		w.fail(err)
	}
}

func (w *watching) emitFirst(c reloaded) {
	line := watchingLine{watchLine: w.line("watching"), Hooks: len(c.Hooks), Directories: w.env.options(w.flags.projectFlags, w.event).HooksDirs(), InPlace: w.flags.inPlace, Poll: w.flags.poll}
	if w.event != nil {
		line.Event = w.event.Type
	}
	w.emit(line)
}

func (w *watching) emitHook(c watch.HookChange, wrong []spec.Diagnostic, first bool) {
	line := hookLine{watchLine: w.line("hook"), hookNamed: named(c.Hook()), Change: c.Kind(), Files: c.Files, Kept: c.Kept, Dropped: c.Dropped}
	if c.After != nil && (c.Kept || c.Dropped) {
		line.Now = explain.Invalid(c.After)
	}
	if first {
		line.Change = "present"
	}
	if c.After != nil {
		line.State, line.Cause, line.Notice = c.After.State, c.After.Cause, c.After.Notice
		line.Diagnostics = wrong
	}
	w.emit(line)
}

func (w *watching) emitResult(r trial.Result) {
	line := verdictLine{watchLine: w.line("verdict"), hookNamed: named(r.Row.Hook), Report: r.Hook()}
	if r.Report == nil {
		line.Because = explain.Because(r.Row)
	} else {
		line.Warnings = r.Report.Warnings
	}
	w.emit(line)
}

func (w *watching) emitCases(s *suite.Suite) {
	line := casesLine{watchLine: w.line("cases"), hookNamed: named(s.Hook), Problems: s.Problems, Notes: s.Remarks, Cases: []suite.CaseReport{}}
	line.Failed = failures(s)
	line.Passed = len(s.Results) - line.Failed
	for _, r := range s.Results {
		line.Cases = append(line.Cases, suite.ReportOf(r))
	}
	w.emit(line)
}
