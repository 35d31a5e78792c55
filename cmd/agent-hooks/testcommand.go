package main

import (
	"cmp"
	"context"
	"flag"
	"runtime"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/cases"
	"github.com/agent-hooks/agent-hooks/internal/trial"
	"github.com/agent-hooks/agent-hooks/spec"
)

type testFlags struct {
	projectFlags
	json, tap, junit         bool
	samples                  bool
	update, dryRun, coverage bool
	jobs                     int
}

func (f *testFlags) declare(fs *flag.FlagSet) {
	f.projectFlags.declare(fs)
	fs.BoolVar(&f.json, "json", false, "print JSON")
	fs.BoolVar(&f.tap, "tap", false, "print TAP 14, for a test harness")
	fs.BoolVar(&f.junit, "junit", false, "print JUnit's XML, for CI")
	fs.BoolVar(&f.coverage, "coverage", false, "show which triggers, tools and branches of expressions no case exercises")
	fs.BoolVar(&f.update, "update", false, "write what came as the expectation into the cases that have none, and show the diff of the others that fail")
	fs.BoolVar(&f.dryRun, "dry-run", false, "with --update: show what would be written, and write nothing")
	fs.BoolVar(&f.samples, "samples", false, "list the events that a case may name as its sample, and run nothing")
	fs.IntVar(&f.jobs, "j", 0, "run `N` cases at once; 0 is as many as there are processors")
}

const testAbout = "A case is a file HOOK/tests/NAME.yaml: a sample or an event of yours, perhaps with a patch, and what to expect of the hook. " +
	"An empty file is a case too: --update writes into it what comes. agent-hooks spec case prints the keys."

// testCommand is `agent-hooks test [HOOK | HOOK/CASE | PATH ...]`: it runs the hooks' own test
// cases (D13). The exit status is 1 if a case fails, or a named hook has none.
func testCommand(env *Env, args []string) (int, error) {
	flags, args, err := parse[testFlags]("test", args)
	if err == nil {
		err = flags.check()
	}
	if err != nil {
		return 0, err
	}
	if flags.samples {
		return spec.ExitContinue, env.listSamples(flags, args)
	}
	suites, err := env.selectSuites(flags, args)
	if err != nil {
		return 0, err
	}
	trial.RemoveAbandoned()
	ctx, signals := catchSignals(context.Background())
	defer signals.release()
	t := &testRun{env: env, flags: flags, suites: suites, began: time.Now(), print: env.testPrinter(flags)}
	t.run(ctx)
	if flags.update && ctx.Err() == nil {
		t.update(ctx)
	}
	err = t.print.end(t)
	signals.dieIfCaught()
	if t.count.failures() > t.updated {
		return spec.ExitError, err
	}
	return spec.ExitContinue, err
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
		return usagef("agent-hooks help test", "test: --update tells what it writes, to people alone: leave --json, --tap or --junit out")
	case f.dryRun && !f.update:
		return usagef("agent-hooks test --update --dry-run", "test: --dry-run is for --update; without it nothing is written")
	case f.jobs < 0:
		return usagef("agent-hooks help test", "test: -j %d is negative", f.jobs)
	}
	return nil
}

// suite is a hook and its selected cases.
type suite struct {
	hook  *discovery.Hook
	cases []*cases.Case
	all   bool // all of its cases
	named bool // on the command line
	// problems are the reasons why the hook's cases do not run, which is a failure.
	problems []spec.Diagnostic
	bare     bool // the problem is that it has no cases
	results  []*cases.Result
	remarks  []string        // on its cases as a whole
	coverage *cases.Coverage // nil: not requested, or not all cases have run
}

// testRun is one call of the command.
type testRun struct {
	env    *Env
	flags  testFlags
	suites []*suite
	began  time.Time
	print  testPrinter
	next   int    // index of the first suite that is not announced
	shown  *suite // the last announced suite
	count  testCount

	updated int // failed cases that were updated and pass now
	partly  int // cases that were updated and still fail
}

// testCount is the summary of a run.
type testCount struct {
	hooks, cases           int // hooks with cases, and selected cases
	passed, failed, broken int
	hooksFailed            int // that could not be tested
	bare                   int // of these, named hooks without cases
	without                []string
}

func (c testCount) failures() int { return c.failed + c.broken + c.hooksFailed }

// testPrinter prints a run in one of its forms. Its methods are called one
// after another.
type testPrinter interface {
	begin(t *testRun)
	suite(s *suite)                     // before its results
	result(s *suite, r *cases.Result)   // in order
	waiting(next *cases.Case, done int) // for the result of next
	suiteEnd(s *suite)                  // when all its cases have run
	end(t *testRun) error               // also after a run that was stopped
}

// run runs every case, and prints the results in the order of the hooks.
func (t *testRun) run(ctx context.Context) {
	var all []*cases.Case
	var of []*suite
	for _, s := range t.suites {
		switch {
		case len(s.problems) > 0:
			t.count.hooksFailed++
			if s.bare {
				t.count.bare++
			}
		case len(s.cases) == 0:
			t.count.without = append(t.count.without, s.hook.Shown())
		default:
			t.count.hooks++
			for _, c := range s.cases {
				all, of = append(all, c), append(of, s)
			}
		}
	}
	t.count.cases = len(all)
	t.print.begin(t)
	done := 0
	t.announce(all, of, done)
	cases.RunAll(ctx, all, t.env.Environ, cmp.Or(t.flags.jobs, runtime.GOMAXPROCS(0)), func(r *cases.Result) {
		t.take(of[done], r)
		done++
		t.announce(all, of, done)
	})
}

// announce prints the suites up to that of the next case.
func (t *testRun) announce(all []*cases.Case, of []*suite, done int) {
	for t.next < len(t.suites) && (done == len(of) || t.shown != of[done]) {
		t.shown = t.suites[t.next]
		t.next++
		if len(t.shown.problems) > 0 || len(t.shown.cases) > 0 {
			t.print.suite(t.shown)
		}
	}
	if done < len(all) {
		t.print.waiting(all[done], done)
	}
}

func (t *testRun) take(s *suite, r *cases.Result) {
	s.results = append(s.results, r)
	switch r.Status {
	case cases.Passed:
		t.count.passed++
	case cases.Failed:
		t.count.failed++
	case cases.Broken:
		t.count.broken++
	case cases.Stopped:
		return // it has no result
	}
	t.print.result(s, r)
	if len(s.results) == len(s.cases) {
		s.conclude(t.flags)
		t.print.suiteEnd(s)
	}
}

// conclude adds the remarks and the coverage of a hook's cases.
func (s *suite) conclude(f testFlags) {
	if !s.all {
		if f.coverage {
			s.remarks = []string{"coverage: not shown, since not all cases of the hook have run; agent-hooks test --coverage " + shellWord(s.hook.Shown()) + " runs them"}
		}
		return
	}
	s.remarks = cases.Notes(s.hook, s.results)
	if f.coverage {
		c := cases.Cover(s.hook, s.results)
		s.coverage = &c
	}
}

// notes returns the remarks about a hook other than its results.
func (s *suite) notes() []string { return append(hookNotes(s.hook), s.remarks...) }
