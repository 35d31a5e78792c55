package main

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
	"github.com/agent-hooks/agent-hooks/testdata/events"
)

type testFlags struct {
	json, junit, samples bool
}

func (f *testFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print JSON")
	fs.BoolVar(&f.junit, "junit", false, "print JUnit XML, for CI")
	fs.BoolVar(&f.samples, "samples", false, "list the sample events that a case may name")
}

const testAbout = "A case is a file HOOK/tests/NAME.yaml. It contains a sample's name or an event, optionally with a patch, and the expected result. " +
	"agent-hooks spec case prints the keys."

// execute is `agent-hooks test [HOOK | HOOK/CASE | PATH ...]`: it runs the hooks' own test
// cases (D13). The exit status is 1 if a case fails, or a named hook has none.
func (flags testFlags) execute(env *Env, args []string) (int, error) {
	if flags.samples {
		return spec.ExitContinue, env.listSamples(flags, args)
	}
	suites, err := env.selectSuites(args)
	if err != nil {
		return 0, fmt.Errorf("test: %w", err)
	}
	t := &suite.Run{Environ: env.Environ, Suites: suites, Began: time.Now(), Print: env.testPrinter(flags)}
	err = untilSignal(func(ctx context.Context) error {
		t.Run(ctx)
		return t.Print.End(t)
	})
	if len(suites) == 0 && err == nil {
		env.noteNoHooks()
	}
	return exitStatus(t.Count.Failures() > 0), err
}

// selectSuites returns the suites that args name, or all hooks of user and project.
func (env *Env) selectSuites(args []string) ([]*suite.Suite, error) {
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
	if f.json && f.junit {
		return usagef("agent-hooks help test", "test: --json and --junit exclude each other")
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
	if f.junit {
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
