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

// onCases runs a hook's test cases that exist when it begins, like the test command. If asked
// is set, it also reports that there are none. A kept hook is tested in its last valid version,
// regardless of its current HOOK.md.
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

// came returns a text that is equal for equal results of a hook's cases.
func (s *suite) came() string {
	text := fmt.Sprint(s.problems, s.remarks, allTheSame(s.hook))
	for _, r := range s.results {
		text += fmt.Sprintf("\n%s %s %q", r.Case.Name, r.Status, r.Mismatches)
	}
	return text
}

// outcomeStyle returns the style of an outcome.
func outcomeStyle(o agenthooks.Outcome) string {
	switch o {
	case agenthooks.OutcomeDeny, agenthooks.Failed, agenthooks.TimedOut:
		return term.Red
	case agenthooks.OutcomeAsk:
		return term.Yellow
	}
	return term.Green
}

// outcomeText returns the name of an outcome for messages.
func outcomeText(o agenthooks.Outcome) string {
	if o == agenthooks.OutcomeNone {
		return "no opinion"
	}
	return string(o)
}

// reasonOf returns the reason for the outcome on one line; "" if there is none.
func reasonOf(h *agenthooks.HookReport) string {
	if h.Status == spec.ExitBlock && h.Cause == "" {
		return "" // the reason is on stderr
	}
	return cmp.Or(h.Cause, h.Answer.Reason)
}
