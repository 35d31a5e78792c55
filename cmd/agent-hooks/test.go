package main

import (
	"context"
	"flag"
	"fmt"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/author/trial"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

type testFlags struct {
	projectFlags
	json, tap, junit bool
	samples          bool
	update, dryRun   bool
	jobs             int
}

func (f *testFlags) declare(fs *flag.FlagSet) {
	f.projectFlags.declare(fs)
	fs.BoolVar(&f.json, "json", false, "print JSON")
	fs.BoolVar(&f.tap, "tap", false, "print TAP 14, for a test harness")
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
	trial.RemoveAbandoned()
	t := &suite.Run{Environ: env.Environ, Jobs: flags.jobs, Suites: suites, Began: time.Now(), Print: env.testPrinter(flags)}
	err = untilSignal(func(ctx context.Context) error {
		t.Run(ctx)
		if flags.update && ctx.Err() == nil {
			updateCases(ctx, t, flags.dryRun)
		}
		return t.Print.End(t)
	})
	return exitStatus(t.Count.Failures() > t.Updated), err
}

// selectSuites returns the suites that args name, or all hooks of user and project.
func (env *Env) selectSuites(flags testFlags, args []string) ([]*suite.Suite, error) {
	hooks := env.load(flags.projectFlags, nil)
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
	forms := 0
	for _, asked := range []bool{f.json, f.tap, f.junit} {
		if asked {
			forms++
		}
	}
	switch {
	case forms > 1:
		return usagef("agent-hooks help test", "test: --json, --tap and --junit exclude each other")
	case forms > 0 && f.update:
		return usagef("agent-hooks help test", "test: --update cannot be combined with --json, --tap or --junit")
	case f.dryRun && !f.update:
		return usagef("agent-hooks test --update --dry-run", "test: --dry-run is for --update; without it nothing is written")
	}
	return nil
}
