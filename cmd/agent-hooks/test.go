package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/cases"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
	"github.com/agent-hooks/agent-hooks/testdata/events"
)

type testFlags struct {
	json, junit    bool
	samples        bool
	update, dryRun bool
	jobs           int
}

func (f *testFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print JSON")
	fs.BoolVar(&f.junit, "junit", false, "print JUnit XML, for CI")
	fs.BoolVar(&f.update, "update", false, "write the result into cases without an expectation; show a diff for other failing cases")
	fs.BoolVar(&f.dryRun, "dry-run", false, "with --update: show the changes, but write nothing")
	fs.BoolVar(&f.samples, "samples", false, "list the sample events that a case may name")
	declareCount(fs, &f.jobs, "j", "run `N` cases at once; 0 means one per CPU")
}

const testAbout = "A case is a file HOOK/tests/NAME.yaml. It contains a sample's name or an event, optionally with a patch, and the expected result. " +
	"For an empty file, --update writes the result as the expectation. agent-hooks spec case prints the keys."

// execute is `agent-hooks test [HOOK | HOOK/CASE | PATH ...]`: it runs the hooks' own test
// cases (D13). The exit status is 1 if a case fails, or a named hook has none.
func (flags testFlags) execute(env *Env, args []string) (int, error) {
	if flags.samples {
		return spec.ExitContinue, env.listSamples(flags, args)
	}
	suites, err := env.selectSuites(flags, args)
	if err != nil {
		return 0, fmt.Errorf("test: %w", err)
	}
	t := &suite.Run{Environ: env.Environ, Jobs: flags.jobs, Suites: suites, Began: time.Now(), Print: env.testPrinter(flags)}
	err = untilSignal(func(ctx context.Context) error {
		t.Run(ctx)
		if flags.update && ctx.Err() == nil {
			updateCases(ctx, t, flags.dryRun)
		}
		return t.Print.End(t)
	})
	if len(suites) == 0 && err == nil {
		env.noteNoHooks()
	}
	return exitStatus(t.Count.Failures() > t.Updated), err
}

// selectSuites returns the suites that args name, or all hooks of user and project.
func (env *Env) selectSuites(flags testFlags, args []string) ([]*suite.Suite, error) {
	hooks := env.load(nil)
	reviewed := func(h *discovery.Hook) *discovery.Hook { return h }
	if hooks.RequiresTrust() {
		reviewed = trust.NewCheck(trust.Options{Store: env.trustDir(), Home: env.home()}).TrustAt
	}
	if len(args) == 0 {
		env.warnHooks(hooks)
	}
	suites, diagnostics, err := suite.Select(env.finder("test", hooks), args, reviewed)
	for _, d := range diagnostics {
		env.warn("%s", d)
	}
	for _, s := range suites {
		s.Check(env.Getenv("PATH"), env.relative)
	}
	return suites, err
}

func (f testFlags) check() error {
	switch {
	case f.json && f.junit:
		return usagef("agent-hooks help test", "test: --json and --junit exclude each other")
	case (f.json || f.junit) && f.update:
		return usagef("agent-hooks help test", "test: --update cannot be combined with --json or --junit")
	case f.dryRun && !f.update:
		return usagef("agent-hooks test --update --dry-run", "test: --dry-run is for --update; without it nothing is written")
	}
	return nil
}

// sampleRow is one event that a case may name.
type sampleRow struct {
	Sample string           `json:"sample"`
	Events []spec.EventType `json:"events"` // the events of the sample, best match first
}

// listSamples is `agent-hooks test --samples`.
func (env *Env) listSamples(f testFlags, args []string) error {
	if err := noArguments("test --samples", args); err != nil {
		return err
	}
	if f.junit || f.update {
		return usagef("agent-hooks test --samples --json", "test: --samples can be combined only with --json")
	}
	listed := []sampleRow{}
	var rows [][]string
	for _, name := range events.Names() {
		row, names := sampleRow{name, events.Events(name)}, []string{}
		for _, e := range row.Events {
			names = append(names, string(e))
		}
		listed, rows = append(listed, row), append(rows, []string{name, strings.Join(names, ", ")})
	}
	if f.json {
		return env.printJSON(listed)
	}
	return env.printTable(term.Table{Rows: rows})
}

// updateCases writes the actual results to the failed cases, and prints what it changed in each.
func updateCases(ctx context.Context, t *suite.Run, dryRun bool) {
	p, ok := t.Print.(*testText)
	if !ok {
		return
	}
	done := 0
	for _, s := range t.Suites {
		for _, r := range s.Results {
			if r.Status != cases.Failed || ctx.Err() != nil {
				continue
			}
			p.Waiting(r.Case, done) // the case runs again
			done++
			if p.update(ctx, s, r, dryRun) {
				t.Updated++
			}
		}
	}
	p.erase()
}

// update writes one case, which then passes, and returns whether it was written.
func (p *testText) update(ctx context.Context, s *suite.Suite, r *cases.Result, dryRun bool) (written bool) {
	file := term.Visible(p.env.relative(r.Case.Path))
	u, err := r.Update(ctx, p.env.Environ)
	if err == nil && s.Hook.Reviewed {
		err = errors.New("it belongs to a reviewed copy, which stays as it was reviewed: name the folder in the project, without --require-trust")
	}
	if err == nil && !dryRun {
		err = r.Case.Write(u.Text)
	}
	if err != nil {
		p.line("")
		p.line("%s %s: %s", p.env.style(term.Red, "not updated"), file, term.Printable(err.Error()))
		p.diff(u.Diff)
		return false
	}
	p.line("")
	if !dryRun {
		p.line("%s %s", p.env.style(term.Green, "updated"), file)
		return true
	}
	p.line("%s %s", p.env.style(term.Bold, "would update"), file)
	p.diff(trust.Diff(string(r.Case.Source()), string(u.Text)))
	return false
}

// diff prints lines that begin with -, + or a space.
func (p *testText) diff(lines []string) {
	for _, line := range lines {
		p.line("  %s", p.env.diffLine(term.Visible(strings.TrimSuffix(line, "\r"))))
	}
}
