package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/cases"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// onCases runs a hook's test cases, those that are there when it begins, if test
// did. That there are none is told if asked. A hook that is kept is tested in
// its last good version, whatever its HOOK.md says now.
func (w *watching) onCases(hook *discovery.Hook, kept, asked bool) *attempt {
	return &attempt{asked: asked, run: func(ctx context.Context) outcome {
		began := time.Now()
		s := &suite{hook: hook, all: true}
		s.cases, s.problems = cases.Read(hook)
		ofFolder := len(s.problems)
		w.env.checkSuite(s)
		if kept {
			s.problems = slices.DeleteFunc(s.problems, func(d spec.Diagnostic) bool { return d.Path == hook.File })
		}
		if len(s.problems) == 0 {
			cases.RunAll(ctx, s.cases, w.env.Environ, runtime.GOMAXPROCS(0), func(r *cases.Result) { s.results = append(s.results, r) })
			s.conclude(testFlags{})
		}
		took := time.Since(began)
		return outcome{ran: len(s.results) > 0, came: s.came(), tell: func() {
			switch {
			case w.flags.json && (asked || len(s.cases) > 0 || len(s.problems) > 0):
				w.emitCases(s)
			case len(s.problems) > 0:
				w.tellUntested(s, s.problems[:ofFolder])
			case asked || len(s.cases) > 0:
				w.tellCases(s, took)
			}
		}}
	}}
}

// came is the same if the same came of a hook's cases.
func (s *suite) came() string {
	text := fmt.Sprint(s.problems, s.remarks, allTheSame(s.hook))
	for _, r := range s.results {
		text += fmt.Sprintf("\n%s %s %q", r.Case.Name, r.Status, r.Mismatches)
	}
	return text
}

// outcomeStyle is how an outcome is painted.
func outcomeStyle(o agenthooks.Outcome) string {
	switch o {
	case agenthooks.OutcomeDeny, agenthooks.Failed, agenthooks.TimedOut:
		return term.Red
	case agenthooks.OutcomeAsk:
		return term.Yellow
	}
	return term.Green
}

// outcomeText names an outcome to people.
func outcomeText(o agenthooks.Outcome) string {
	if o == agenthooks.OutcomeNone {
		return "no opinion"
	}
	return string(o)
}

// reasonOf is why the outcome is what it is, in one line; "" if nobody said.
func reasonOf(h *agenthooks.HookReport) string {
	if h.Status == spec.ExitBlock && h.Cause == "" {
		return "" // stderr says it
	}
	return cmp.Or(h.Cause, h.Answer.Reason)
}
