package main

import (
	"cmp"
	"context"
	"os"
	"runtime"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/cases"
	"github.com/agent-hooks/agent-hooks/spec"
)

// onCases runs a hook's test cases, those that are there when it begins. That
// there are none is told if asked.
func (w *watching) onCases(key string, hook *discovery.Hook, tellNone bool) *attempt {
	return &attempt{key: key, name: hook.Shown(), run: func(ctx context.Context) func() {
		began := time.Now()
		all, problems := cases.Read(hook)
		s := &suite{hook: hook, cases: all, all: true, problems: problems}
		cases.RunAll(ctx, all, w.env.Environ, runtime.GOMAXPROCS(0), func(r *cases.Result) { s.results = append(s.results, r) })
		s.conclude(testFlags{})
		took := time.Since(began)
		return func() {
			if tellNone || len(all) > 0 || len(problems) > 0 {
				w.tellCases(s, took)
			}
		}
	}}
}

// covers reports whether the file at path was written within the span, or is
// gone. Clocks of files are coarse.
func (s span) covers(path string) bool {
	const coarse = 20 * time.Millisecond
	info, err := os.Lstat(path)
	if err != nil {
		return true
	}
	ended := s.ended
	if ended.IsZero() {
		ended = time.Now()
	}
	at := info.ModTime()
	return at.After(s.began.Add(-coarse)) && at.Before(ended.Add(coarse))
}

// outcomeStyle is how an outcome is painted.
func outcomeStyle(o agenthooks.Outcome) string {
	switch o {
	case agenthooks.OutcomeDeny, agenthooks.Failed, agenthooks.TimedOut:
		return red
	case agenthooks.OutcomeAsk:
		return yellow
	}
	return green
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
