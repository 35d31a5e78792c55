package suite

import (
	"fmt"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/author/cases"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Report is a run as JSON.
type Report struct {
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

// reportOf returns the result of a case as JSON data.
func reportOf(r *cases.Result) caseReport {
	c := caseReport{
		Case: r.Case.Name, File: r.Case.Path, Description: r.Case.Description, Status: r.Status, Mismatches: r.Mismatches,
		Problem: r.Problem, Diagnostics: r.Case.Diagnostics, Decision: r.Decision(), Time: Milliseconds(r.Duration), Warnings: r.Warnings,
	}
	if r.Status == cases.Passed || r.Status == cases.Failed {
		fired := r.Hook != nil
		c.Fired = &fired
	}
	if r.Hook != nil {
		c.HookTime = Milliseconds(r.Hook.Duration)
		c.Stdout, c.Stderr = r.Hook.Stdout, r.Hook.Stderr
		if r.Hook.Status >= 0 {
			c.ExitStatus = &r.Hook.Status
		}
	}
	return c
}

// Milliseconds returns d in ms, rounded to 10 µs.
func Milliseconds(d time.Duration) float64 {
	return float64(d.Round(10*time.Microsecond)) / float64(time.Millisecond)
}

// Report returns the run for JSON.
func (t *Run) Report() Report {
	c := t.Count
	report := Report{
		Hooks: []suiteReport{}, Without: append([]string{}, c.Without...), Passed: c.Passed, Failed: c.Failed, Broken: c.Broken,
		Stopped: c.Cases - c.Passed - c.Failed - c.Broken, Time: Milliseconds(time.Since(t.Began)),
	}
	for _, s := range t.Suites {
		if len(s.Cases) == 0 && len(s.Problems) == 0 {
			continue
		}
		sr := suiteReport{
			Hook: s.Hook.Shown(), Scope: string(s.Hook.Scope), Dir: s.Hook.Dir, State: string(s.Hook.State),
			Problems: s.Problems, Notes: s.Notes(), Cases: []caseReport{},
		}
		for _, r := range s.Results {
			sr.Cases = append(sr.Cases, reportOf(r))
		}
		report.Hooks = append(report.Hooks, sr)
	}
	return report
}

// JUnit returns the run as JUnit's XML.
func (t *Run) JUnit() string {
	var b strings.Builder
	c := t.Count
	fmt.Fprintf(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"agent-hooks\" tests=\"%d\" failures=\"%d\" errors=\"%d\" time=\"%.3f\">\n",
		c.Cases+c.HooksFailed, c.Failed, c.Broken+c.HooksFailed, time.Since(t.Began).Seconds())
	for _, s := range t.Suites {
		if len(s.Cases) > 0 || len(s.Problems) > 0 {
			writeJUnitSuite(&b, s)
		}
	}
	b.WriteString("</testsuites>\n")
	return b.String()
}

func writeJUnitSuite(b *strings.Builder, s *Suite) {
	var failed, broken int
	var took time.Duration
	for _, r := range s.Results {
		took += r.Duration
		switch r.Status {
		case cases.Failed:
			failed++
		case cases.Broken:
			broken++
		}
	}
	points := len(s.Cases)
	if len(s.Problems) > 0 {
		points, broken = 1, 1
	}
	name := xmlText(s.Hook.Shown())
	fmt.Fprintf(b, "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\">\n",
		name, points, failed, broken, max(0, points-len(s.Results)-len(s.Problems)), took.Seconds())
	if len(s.Problems) > 0 {
		fmt.Fprintf(b, "    <testcase classname=\"%s\" name=\"HOOK.md\">\n", name)
		for _, d := range s.Problems[:1] {
			fmt.Fprintf(b, "      <error message=\"%s\">%s</error>\n", xmlText(d.Message), xmlText(joinDiagnostics(s.Problems)))
		}
		b.WriteString("    </testcase>\n")
	}
	for _, r := range s.Results {
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
