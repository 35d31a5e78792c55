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
	if err != nil {
		return 0, fmt.Errorf("test: %w", err)
	}
	for _, s := range suites {
		s.Check(env.Getenv("PATH"), env.relative)
	}
	t := &suite.Run{Environ: env.Environ, Suites: suites, Began: time.Now(), Print: newTestText(env)}
	switch {
	case flags.json:
		t.Print = &suite.JSON{Out: env.Stdout}
	case flags.junit:
		t.Print = &suite.JUnit{Out: env.Stdout}
	}
	err = untilSignal(func(ctx context.Context) error {
		t.Run(ctx)
		return t.Print.End(t)
	})
	if len(suites) == 0 && err == nil {
		env.noteNoHooks()
	}
	return exitStatus(t.Count.Failures() > 0), err
}

func (f testFlags) check() error {
	if f.json && f.junit {
		return usagef("agent-hooks help test", "test: --json and --junit exclude each other")
	}
	return nil
}

// listSamples is `agent-hooks test --samples`.
func (env *Env) listSamples(f testFlags, args []string) error {
	type row struct {
		Sample string           `json:"sample"`
		Events []spec.EventType `json:"events"` // the events of the sample, best match first
	}
	if err := noArguments("test --samples", args); err != nil {
		return err
	}
	if f.junit {
		return usagef("agent-hooks test --samples --json", "test: --samples can be combined only with --json")
	}
	listed, t := []row{}, term.Table{}
	for _, name := range events.Names() {
		r := row{name, events.Events(name)}
		listed = append(listed, r)
		t.Rows = append(t.Rows, []string{name, strings.ReplaceAll(strings.Trim(fmt.Sprint(r.Events), "[]"), " ", ", ")})
	}
	if f.json {
		return env.printJSON(listed)
	}
	return env.printTable(t)
}
