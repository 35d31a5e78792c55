package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/cases"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// testReport is a run as JSON.
type testReport struct {
	Hooks   []suiteReport `json:"hooks"`
	Without []string      `json:"hooks_without_cases"`
	Passed  int           `json:"passed"`
	Failed  int           `json:"failed"`
	Broken  int           `json:"broken"`
	Stopped int           `json:"stopped"`
	Time    float64       `json:"duration_ms"`
}

type suiteReport struct {
	Hook     string            `json:"hook"`
	Scope    string            `json:"scope"`
	Dir      string            `json:"dir"`
	State    string            `json:"state"`
	Problems []spec.Diagnostic `json:"problems,omitempty"` // why its cases did not run
	Notes    []string          `json:"notes,omitempty"`
	Cases    []caseReport      `json:"cases"`
	Coverage *cases.Coverage   `json:"coverage,omitempty"`
}

// caseReport is the result of one case.
type caseReport struct {
	Case        string            `json:"case"`
	File        string            `json:"file"`
	Description string            `json:"description,omitempty"`
	Status      cases.Status      `json:"status"`
	Mismatches  []cases.Mismatch  `json:"mismatches,omitempty"`
	Problem     string            `json:"problem,omitempty"`
	Diagnostics []spec.Diagnostic `json:"diagnostics,omitempty"`
	Fired       *bool             `json:"fired,omitempty"`    // nil: the case was invalid or stopped
	Decision    string            `json:"decision,omitempty"` // "": the hook did not run
	ExitStatus  *int              `json:"exit_status,omitempty"`
	HookTime    float64           `json:"hook_ms"`
	Time        float64           `json:"duration_ms"`
	Stdout      string            `json:"stdout,omitempty"`
	Stderr      string            `json:"stderr,omitempty"`
	Warnings    []string          `json:"warnings,omitempty"`
}

func reportOf(r *cases.Result) caseReport {
	c := caseReport{
		Case: r.Case.Name, File: r.Case.Path, Description: r.Case.Description, Status: r.Status, Mismatches: r.Mismatches,
		Problem: r.Problem, Diagnostics: r.Case.Diagnostics, Decision: r.Decision(), Time: inMilliseconds(r.Duration), Warnings: r.Warnings,
	}
	if r.Status == cases.Passed || r.Status == cases.Failed {
		fired := r.Hook != nil
		c.Fired = &fired
	}
	if r.Hook != nil {
		c.HookTime = inMilliseconds(r.Hook.Duration)
		c.Stdout, c.Stderr = r.Hook.Stdout, r.Hook.Stderr
		if r.Hook.Status >= 0 {
			c.ExitStatus = &r.Hook.Status
		}
	}
	return c
}

func inMilliseconds(d time.Duration) float64 {
	return float64(d.Round(10*time.Microsecond)) / float64(time.Millisecond)
}

// testJSON prints a run as one JSON object.
type testJSON struct{ env *Env }

func (p *testJSON) begin(*testRun)               {}
func (p *testJSON) suite(*suite)                 {}
func (p *testJSON) result(*suite, *cases.Result) {}
func (p *testJSON) suiteEnd(*suite)              {}
func (p *testJSON) waiting(*cases.Case, int)     {}

func (p *testJSON) end(t *testRun) error {
	c := t.count
	report := testReport{
		Hooks: []suiteReport{}, Without: append([]string{}, c.without...), Passed: c.passed, Failed: c.failed, Broken: c.broken,
		Stopped: c.cases - c.passed - c.failed - c.broken, Time: inMilliseconds(time.Since(t.began)),
	}
	for _, s := range t.suites {
		if len(s.cases) == 0 && len(s.problems) == 0 {
			continue
		}
		sr := suiteReport{
			Hook: s.hook.Shown(), Scope: string(s.hook.Scope), Dir: s.hook.Dir, State: string(s.hook.State),
			Problems: s.problems, Notes: s.notes(), Cases: []caseReport{}, Coverage: s.coverage,
		}
		for _, r := range s.results {
			sr.Cases = append(sr.Cases, reportOf(r))
		}
		report.Hooks = append(report.Hooks, sr)
	}
	return p.env.printJSON(report)
}

// testTAP prints a run in version 14 of the Test Anything Protocol.
type testTAP struct {
	env   *Env
	point int
}

func (p *testTAP) begin(t *testRun) {
	fmt.Fprintf(p.env.Stdout, "TAP version 14\n1..%d\n", t.count.cases+t.count.hooksFailed)
	for _, name := range t.count.without {
		fmt.Fprintf(p.env.Stdout, "# %s has no test cases\n", visible(name))
	}
}

func (p *testTAP) suiteEnd(s *suite) {
	for _, note := range s.notes() {
		fmt.Fprintf(p.env.Stdout, "# %s: %s\n", visible(s.hook.Shown()), visible(note))
	}
	if s.coverage != nil {
		for _, gap := range s.coverage.Gaps {
			fmt.Fprintf(p.env.Stdout, "# %s: not covered: %s\n", visible(s.hook.Shown()), visible(gapText(gap)))
		}
	}
}

func (p *testTAP) waiting(*cases.Case, int) {}

func (p *testTAP) suite(s *suite) {
	if len(s.problems) == 0 {
		return
	}
	what := " cannot be tested"
	if s.bare {
		what = " has no test cases"
	}
	p.test(false, s.hook.Shown()+what)
	var problems []string
	for _, d := range s.problems {
		problems = append(problems, d.String())
	}
	p.block([]tapField{{"problems", problems}})
}

func (p *testTAP) result(s *suite, r *cases.Result) {
	p.test(r.Status == cases.Passed, s.hook.Shown()+"/"+r.Case.Name)
	c := reportOf(r)
	fields := []tapField{{"duration_ms", c.Time}}
	if r.Status != cases.Passed {
		fields = append(fields, tapField{"file", c.File}, tapField{"status", c.Status})
		if len(c.Diagnostics) > 0 {
			fields = append(fields, tapField{"diagnostics", c.Diagnostics})
		}
		if c.Problem != "" {
			fields = append(fields, tapField{"problem", c.Problem})
		}
		if len(c.Mismatches) > 0 {
			fields = append(fields, tapField{"mismatches", c.Mismatches})
		}
		if c.Stdout+c.Stderr != "" {
			fields = append(fields, tapField{"stdout", c.Stdout}, tapField{"stderr", c.Stderr})
		}
	}
	if len(c.Warnings) > 0 {
		fields = append(fields, tapField{"warnings", c.Warnings})
	}
	p.block(fields)
}

func (p *testTAP) test(ok bool, description string) {
	p.point++
	word := "ok"
	if !ok {
		word = "not ok"
	}
	fmt.Fprintf(p.env.Stdout, "%s %d - %s\n", word, p.point, strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(visible(description)))
}

// tapField is one key of a block of diagnostics. JSON is also YAML, and so are the escapes of
// printable.
type tapField struct {
	key   string
	value any
}

func (p *testTAP) block(fields []tapField) {
	fmt.Fprintln(p.env.Stdout, "  ---")
	for _, f := range fields {
		fmt.Fprintf(p.env.Stdout, "  %s: %s\n", f.key, term.Printable(lineJSON(f.value)))
	}
	fmt.Fprintln(p.env.Stdout, "  ...")
}

// end reports a stopped run, which did not complete its plan, to the harness.
func (p *testTAP) end(t *testRun) error {
	if p.point < t.count.cases+t.count.hooksFailed {
		fmt.Fprintln(p.env.Stdout, "Bail out! stopped")
	}
	_, err := fmt.Fprintf(p.env.Stdout, "# %s\n", summaryText(t))
	return err
}

// testJUnit prints a run as JUnit's XML.
type testJUnit struct{ env *Env }

func (p *testJUnit) begin(*testRun)               {}
func (p *testJUnit) suite(*suite)                 {}
func (p *testJUnit) result(*suite, *cases.Result) {}
func (p *testJUnit) suiteEnd(*suite)              {}
func (p *testJUnit) waiting(*cases.Case, int)     {}

func (p *testJUnit) end(t *testRun) error {
	var b strings.Builder
	c := t.count
	fmt.Fprintf(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"agent-hooks\" tests=\"%d\" failures=\"%d\" errors=\"%d\" time=\"%.3f\">\n",
		c.cases+c.hooksFailed, c.failed, c.broken+c.hooksFailed, time.Since(t.began).Seconds())
	for _, s := range t.suites {
		if len(s.cases) > 0 || len(s.problems) > 0 {
			writeJUnitSuite(&b, s)
		}
	}
	b.WriteString("</testsuites>\n")
	_, err := fmt.Fprint(p.env.Stdout, b.String())
	return err
}

func writeJUnitSuite(b *strings.Builder, s *suite) {
	var failed, broken int
	var took time.Duration
	for _, r := range s.results {
		took += r.Duration
		switch r.Status {
		case cases.Failed:
			failed++
		case cases.Broken:
			broken++
		}
	}
	points := len(s.cases)
	if len(s.problems) > 0 {
		points, broken = 1, 1
	}
	name := xmlText(s.hook.Shown())
	fmt.Fprintf(b, "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\">\n",
		name, points, failed, broken, max(0, points-len(s.results)-len(s.problems)), took.Seconds())
	if len(s.problems) > 0 {
		fmt.Fprintf(b, "    <testcase classname=\"%s\" name=\"HOOK.md\">\n", name)
		for _, d := range s.problems[:1] {
			fmt.Fprintf(b, "      <error message=\"%s\">%s</error>\n", xmlText(d.Message), xmlText(joinDiagnostics(s.problems)))
		}
		b.WriteString("    </testcase>\n")
	}
	for _, r := range s.results {
		writeJUnitCase(b, name, reportOf(r))
	}
	b.WriteString("  </testsuite>\n")
}

func writeJUnitCase(b *strings.Builder, hook string, c caseReport) {
	fmt.Fprintf(b, "    <testcase classname=\"%s\" name=\"%s\" file=\"%s\" time=\"%.3f\">", hook, xmlText(c.Case), xmlText(c.File), c.Time/1000)
	switch c.Status {
	case cases.Passed:
		b.WriteString("</testcase>\n")
		return
	case cases.Stopped:
		b.WriteString("\n      <skipped message=\"stopped\"/>")
	case cases.Broken:
		text := strings.TrimSpace(joinDiagnostics(c.Diagnostics) + c.Problem)
		first, _, _ := strings.Cut(text, "\n")
		fmt.Fprintf(b, "\n      <error message=\"%s\">%s</error>", xmlText(first), xmlText(text))
	default:
		var text strings.Builder
		for _, m := range c.Mismatches {
			fmt.Fprintf(&text, "%s\n  expected  %s\n  got       %s\n", m.What, m.Expected, m.Got)
		}
		first := c.Mismatches[0]
		fmt.Fprintf(b, "\n      <failure message=\"%s\">%s</failure>", xmlText(fmt.Sprintf("%s: expected %s, got %s", first.What, first.Expected, first.Got)), xmlText(text.String()))
	}
	for _, stream := range []struct{ name, text string }{{"system-out", c.Stdout}, {"system-err", c.Stderr}} {
		if stream.text != "" {
			fmt.Fprintf(b, "\n      <%s>%s</%s>", stream.name, xmlText(stream.text), stream.name)
		}
	}
	b.WriteString("\n    </testcase>\n")
}

func joinDiagnostics(diagnostics []spec.Diagnostic) string {
	var b strings.Builder
	for _, d := range diagnostics {
		fmt.Fprintln(&b, d)
	}
	return b.String()
}

// xmlText escapes text for XML. Control characters, which XML cannot contain, are escaped as in
// Go.
func xmlText(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = term.Printable(line)
	}
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(strings.Join(lines, "\n"))
}

// lineJSON encodes v on one line.
func lineJSON(v any) string {
	b, err := term.JSON(v)
	if err != nil {
		return "null"
	}
	return term.CompactJSON(b)
}
