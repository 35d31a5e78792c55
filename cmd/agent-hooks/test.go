package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
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
	formatFlag
	samples bool
}

func (f *testFlags) declare(fs *flag.FlagSet) {
	f.formatFlag.declare(fs, "junit")
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
	t := &suite.Run{Environ: env.Environ, Suites: suites, Began: time.Now()}
	text := newTestText(env)
	if !flags.machine() {
		t.Print = text
	}
	err = untilSignal(func(ctx context.Context) error {
		t.Run(ctx)
		report := t.Checks()
		report.Text = func() error { return text.end(t) }
		return flags.write(env, report)
	})
	if len(suites) == 0 && err == nil {
		env.noteNoHooks()
	}
	return exitStatus(t.Count.Failures() > 0), err
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
	if f.machine() && f.format != "json" {
		return usagef("agent-hooks test --samples --json", "test: --samples can be combined only with --json")
	}
	listed, t := []row{}, term.Table{}
	for _, name := range events.Names() {
		r := row{name, events.Events(name)}
		listed = append(listed, r)
		t.Rows = append(t.Rows, []string{name, strings.ReplaceAll(strings.Trim(fmt.Sprint(r.Events), "[]"), " ", ", ")})
	}
	if f.format == "json" {
		return env.printJSON(listed)
	}
	return env.printTable(t)
}

// testText prints a run for people: it is a suite.Printer.
type testText struct {
	env     *Env
	width   int // columns of the terminal; 0: not a terminal
	columns term.Columns
	status  statusLine
	suites  int // printed so far
}

func newTestText(env *Env) *testText {
	return &testText{env: env, width: env.width(env.Stdout), status: statusLine{env: env, out: env.Stdout}}
}

// line prints one line, wrapped if it does not fit.
func (p *testText) line(format string, args ...any) {
	p.erase()
	text := fmt.Sprintf(format, args...)
	indent := len(text) - len(strings.TrimLeft(text, " "))
	p.env.out(indent+2, text)
}

// Waiting shows the running case in a temporary line on a terminal.
func (p *testText) Waiting(next *cases.Case, done int) {
	p.status.show(fmt.Sprintf("  …  %d done, now %s/%s", done, next.Hook.Shown(), term.Visible(next.Name)))
}

func (p *testText) erase() { p.status.erase() }

func (p *testText) Suite(s *suite.Suite) {
	p.suites++
	if p.suites > 1 {
		p.line("")
	}
	name, place := s.Hook.Shown(), term.Visible(p.env.short(s.Hook.Dir))
	p.line("%s  %s", p.env.style(term.Bold, name), p.env.style(term.Faint, place))
	for _, note := range suite.HookNotes(s.Hook) {
		p.line("  %s %s", p.env.style(term.Yellow, "note:"), term.Visible(note))
	}
	for _, d := range s.Problems {
		p.diagnostic("  ", d)
	}
	p.table(s)
}

// table formats the rows of the suite's cases.
func (p *testText) table(s *suite.Suite) {
	p.columns = term.Columns{Right: []bool{false, false, false, true}, Width: p.width}
	for _, c := range s.Cases {
		p.columns.Fit([]string{"  BROKEN", term.Visible(c.Name), "not run", "    0 ms", ""})
	}
}

func (p *testText) diagnostic(indent string, d spec.Diagnostic) {
	p.erase()
	fmt.Fprint(p.env.Stdout, p.env.diagnosticText(p.env.Stdout, len(indent), d))
}

// text prints a paragraph after a head, which may be painted. On a terminal it is wrapped and
// indented by the width of the head.
func (p *testText) text(head, text string) {
	p.erase()
	p.env.out(term.Width(head), head+term.Printable(text))
}

func (p *testText) Result(_ *suite.Suite, r *cases.Result) {
	p.row(r)
	if r.Status == cases.Passed {
		p.warnings(r)
		return
	}
	for _, d := range r.Case.Diagnostics {
		p.diagnostic("    ", d)
	}
	if r.Problem != "" {
		p.output("problem", r.Problem)
	}
	for _, m := range r.Mismatches {
		p.mismatch(m)
	}
	if r.Hook != nil {
		p.output("stdout", r.Hook.Stdout)
		p.output("stderr", r.Hook.Stderr)
	}
	p.warnings(r)
}

// row prints the row of a case: its description and, if the hook blocked or asked, its reason, because
// a hook that blocks for another reason than expected tests nothing. A reason is never cut, but a
// description is. The cause of a failure that nobody expected follows below the row.
func (p *testText) row(r *cases.Result) {
	const most = 100 // columns of the reason
	status, style := "BROKEN", term.Red
	switch r.Status {
	case cases.Passed:
		status, style = "pass", term.Green
	case cases.Failed:
		status = "FAIL"
	}
	decision, took := "not run", "-"
	if r.Hook != nil {
		decision, took = r.Decision(), fmt.Sprintf("%.0f ms", float64(r.Hook.Duration)/float64(time.Millisecond))
	}
	if r.Status == cases.Broken {
		decision = "-"
	}
	note, write := strings.TrimSpace(r.Case.Description), p.columns.Line
	reason := strings.TrimSpace(r.Reason())
	if reason != "" && !slices.ContainsFunc(r.Mismatches, func(m cases.Mismatch) bool { return m.What == "failure" }) {
		note, write = strings.TrimPrefix(note+": "+term.CutTo(reason, most), ": "), p.columns.Wrapped
	}
	if note != "" {
		note = term.Cell(note)
	}
	text := write([]string{"  " + status, term.Visible(r.Case.Name), decision, took, note}, func(i int, cell string) string {
		if i == 0 {
			return p.env.style(style, cell)
		}
		return cell
	})
	for line := range strings.Lines(text) {
		p.line("%s", strings.TrimRight(line, "\n"))
	}
}

func (p *testText) warnings(r *cases.Result) {
	for _, w := range r.Warnings {
		p.text("    "+p.env.style(term.Yellow, "warning: "), w)
	}
}

// mismatch prints the expected and the actual value, or the differing lines of long JSON.
func (p *testText) mismatch(m cases.Mismatch) {
	p.line("    %s", term.Visible(m.What))
	expected, got := term.IndentJSON(m.Expected), term.IndentJSON(m.Got)
	if expected == "" || got == "" || max(term.Width(m.Expected), term.Width(m.Got)) <= 60 {
		p.text("      "+p.env.style(term.Green, "expected  "), m.Expected)
		p.text("      "+p.env.style(term.Red, "got       "), m.Got)
		return
	}
	p.line("      %s", p.env.style(term.Faint, "- expected, + got"))
	for _, line := range trust.Diff(expected, got) {
		if line[0] != '@' {
			p.line("      %s", p.env.style(diffStyle(line), term.Visible(line)))
		}
	}
}

// output prints a hook's output if it is readable.
func (p *testText) output(stream, output string) {
	for i, line := range term.Lines(output, 20) {
		if i == 0 {
			p.line("    %s", p.env.style(term.Faint, stream))
		}
		p.text("      ", line)
	}
}

func (p *testText) SuiteEnd(s *suite.Suite) {
	for _, note := range s.Remarks {
		p.text("  "+p.env.style(term.Yellow, "note: "), note)
	}
}

// end prints the result of the run, even if it was stopped.
func (p *testText) end(t *suite.Run) error {
	p.erase()
	c := t.Count
	if p.suites > 0 {
		p.line("")
	}
	if len(c.Without) > 0 {
		p.line("%s", term.Printable(suite.HaveNoCases(len(c.Without))+": "+strings.Join(c.Without, ", ")))
	}
	style := term.Bold
	if c.Failures() > 0 {
		style = term.Red
	}
	return p.env.out(2, p.env.style(style, suite.Summary(t)))
}
