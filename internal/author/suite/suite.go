// Package suite finds the hooks and the test cases that the arguments of a command name, runs the
// cases of several hooks, writes the results as JSON or JUnit's XML, and decides when a hook
// that changed on disk runs again (test, validate, why, watch). Package cases runs and compares one
// case.
package suite

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/cases"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Suite is a hook and its selected cases.
type Suite struct {
	Hook  *discovery.Hook
	Cases []*cases.Case
	All   bool // all of its cases
	Named bool // on the command line
	// Problems are the reasons why the hook's cases do not run, which is a failure.
	Problems []spec.Diagnostic
	Results  []*cases.Result
	Remarks  []string // on its cases as a whole
}

// Run is one run of suites.
type Run struct {
	Environ []string
	Suites  []*Suite
	Began   time.Time
	Print   Printer // nil prints nothing
	Count   Count
}

// Count is the summary of a run.
type Count struct {
	Hooks, Cases           int // hooks with cases, and selected cases
	Passed, Failed, Broken int
	HooksFailed            int // that could not be tested
	Without                []string
}

// Failures returns the number of failed cases, and of hooks that cannot be tested.
func (c Count) Failures() int { return c.Failed + c.Broken + c.HooksFailed }

// Printer prints the results of a run while it runs. Its methods are called one after another.
type Printer interface {
	Suite(s *Suite)                     // before its results
	Result(s *Suite, r *cases.Result)   // in order
	Waiting(next *cases.Case, done int) // for the result of next
	SuiteEnd(s *Suite)                  // when all its cases have run
}

// Run runs every case, and prints the results in the order of the hooks.
func (t *Run) Run(ctx context.Context) {
	var all []*cases.Case
	for _, s := range t.Suites {
		switch {
		case len(s.Problems) > 0:
			t.Count.HooksFailed++
		case len(s.Cases) == 0:
			t.Count.Without = append(t.Count.Without, s.Hook.Shown())
		default:
			t.Count.Hooks++
			all = append(all, s.Cases...)
		}
	}
	t.Count.Cases = len(all)
	show := func(what func(Printer)) {
		if t.Print != nil {
			what(t.Print)
		}
	}
	results, stop := iter.Pull(cases.RunAll(ctx, all, t.Environ, runtime.GOMAXPROCS(0)))
	defer stop()
	done := 0
	for _, s := range t.Suites {
		if len(s.Problems) == 0 && len(s.Cases) == 0 {
			continue
		}
		show(func(p Printer) { p.Suite(s) })
		if len(s.Problems) > 0 {
			continue
		}
		for _, c := range s.Cases {
			show(func(p Printer) { p.Waiting(c, done) })
			r, _ := results()
			s.Results = append(s.Results, r)
			done++
			switch r.Status {
			case cases.Passed:
				t.Count.Passed++
			case cases.Failed:
				t.Count.Failed++
			case cases.Broken:
				t.Count.Broken++
			case cases.Stopped:
				continue // it has no result
			}
			show(func(p Printer) { p.Result(s, r) })
		}
		if s.All {
			s.Remarks = cases.Notes(s.Hook, s.Results)
		}
		show(func(p Printer) { p.SuiteEnd(s) })
	}
}

// Notes returns the remarks about a hook other than its results.
func (s *Suite) Notes() []string { return append(HookNotes(s.Hook), s.Remarks...) }

// HookNotes explains why the hook runs differently than in its tests.
func HookNotes(h *discovery.Hook) []string {
	var notes []string
	if h.State == discovery.Disabled || h.State == discovery.Overridden {
		notes = append(notes, fmt.Sprintf("%s: %s; its cases still run", h.State, h.Cause))
	}
	if h.Async {
		notes = append(notes, "async: agents do not wait for it, so it cannot block; its cases show what it answers")
	}
	if again := h.ReadsTwice(); again != "" {
		notes = append(notes, again)
	}
	if notice := h.News(); notice != "" {
		notes = append(notes, notice)
	}
	return notes
}

// Check finds problems because of which the hook cannot be tested. path is the PATH variable;
// relative shortens a path for a message.
func (s *Suite) Check(path string, relative func(string) string) {
	broken := s.Hook.State == discovery.Invalid || s.Hook.State == discovery.Refused
	switch {
	case s.Hook.State == discovery.Untrusted && len(s.Cases) > 0:
		s.Problems = append(s.Problems, spec.Diagnostic{
			Path: s.Hook.Dir, Severity: spec.Error, Code: "case-hook",
			Message: fmt.Sprintf("%s, so %s did not run", s.Hook.Cause, term.Plural(len(s.Cases), "case")),
		})
	case s.Hook.State == discovery.Untrusted:
	case broken || len(s.Cases) > 0:
		for _, d := range s.Hook.Validate(path) {
			if d.Fatal() {
				s.Problems = append(s.Problems, d)
				broken = false
			}
		}
		if broken { // for example, a replacing hook, or one of two with the same name
			s.Problems = append(s.Problems, spec.Diagnostic{Path: s.Hook.Dir, Severity: spec.Error, Code: "case-hook", Message: s.Hook.Cause})
		}
	}
	if s.Named && len(s.Cases) == 0 && len(s.Problems) == 0 {
		// The cases may have been removed after the call was added to CI.
		s.Problems = []spec.Diagnostic{{
			Path: s.Hook.Dir, Severity: spec.Error, Code: "case-hook",
			Message: fmt.Sprintf("has no test cases; write one: %s (agent-hooks help test)", relative(filepath.Join(s.Hook.Dir, cases.Folder, "NAME.yaml"))),
		}}
	}
}

// Select returns the suites that args name, or those of all hooks. reviewed returns the copy that is
// tested instead of a hook that was read from a path.
func Select(f *Finder, args []string, reviewed func(*discovery.Hook) *discovery.Hook) (suites []*Suite, diagnostics []spec.Diagnostic, err error) {
	var s selection
	if len(args) == 0 {
		for _, h := range f.Hooks {
			s.add(h, "")
		}
	}
	for _, arg := range args {
		found, err := f.Find(arg)
		if err != nil {
			return nil, nil, err
		}
		if len(found.Hooks) == 0 {
			return nil, nil, noHookIn(arg)
		}
		diagnostics = append(diagnostics, found.Diagnostics...)
		for _, h := range found.Hooks {
			if found.ByPath {
				h = reviewed(h)
			}
			suite, ok := s.add(h, found.Case)
			if !ok {
				return nil, nil, f.noCase(h, found.Case)
			}
			suite.Named = suite.Named || !found.Directory
		}
	}
	return s, diagnostics, nil
}

type selection []*Suite

// add adds a hook's cases or, if only is not "", the case with that name to the hook's suite. ok is
// false if there is no such case.
func (s *selection) add(h *discovery.Hook, only string) (suite *Suite, ok bool) {
	all, problems := cases.Read(h)
	i := slices.IndexFunc(*s, func(o *Suite) bool { return o.Hook.Dir == h.Dir })
	if i < 0 {
		i = len(*s)
		*s = append(*s, &Suite{Hook: h, Problems: problems})
	}
	suite = (*s)[i]
	if only == "" {
		suite.Cases, suite.All = all, true
		return suite, true
	}
	named := slices.DeleteFunc(all, func(c *cases.Case) bool { return c.Name != only })
	if !suite.All {
		suite.Cases = append(suite.Cases, named...)
	}
	return suite, len(named) > 0
}

// Summary returns the result of a run on one line.
func Summary(t *Run) string {
	c := t.Count
	untested := ""
	if c.HooksFailed > 0 {
		untested = term.Plural(c.HooksFailed, "hook") + " cannot be tested"
	}
	if c.Cases == 0 {
		return cmp.Or(untested, "no test cases")
	}
	parts := []string{fmt.Sprintf("%d passed", c.Passed)}
	for _, n := range []struct {
		n    int
		word string
	}{{c.Failed, "failed"}, {c.Broken, "broken"}, {c.Cases - c.Passed - c.Failed - c.Broken, "stopped"}} {
		if n.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.n, n.word))
		}
	}
	text := fmt.Sprintf("%s of %s: %s", term.Plural(c.Cases, "case"), term.Plural(c.Hooks, "hook"), strings.Join(parts, ", "))
	if untested != "" {
		text += "; " + untested
	}
	return fmt.Sprintf("%s, in %.1f s", text, time.Since(t.Began).Seconds())
}

// HaveNoCases returns the number of hooks without cases as text.
func HaveNoCases(hooks int) string {
	if hooks == 1 {
		return "1 hook has no test cases"
	}
	return fmt.Sprintf("%d hooks have no test cases", hooks)
}
