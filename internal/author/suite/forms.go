package suite

import (
	"fmt"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/author/cases"
	"github.com/agent-hooks/agent-hooks/internal/author/output"
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

// rules describe the findings that are not diagnostics.
var rules = []output.Rule{
	{ID: "case-fail", Meaning: "a test case expects something else than the hook did"},
	{ID: "case-broken", Meaning: "a test case cannot be run"},
	{ID: "case-warning", Meaning: "a test case passes, but shows a problem of the hook"},
}

// Checks returns the run in the forms for machines, apart from its JSON.
func (t *Run) Checks() *output.Report {
	report := &output.Report{Took: time.Since(t.Began), Rules: append(output.DiagnosticRules(), rules...), JSON: t.Report()}
	for _, s := range t.Suites {
		if len(s.Cases) == 0 && len(s.Problems) == 0 {
			continue
		}
		g := output.Group{Name: s.Hook.Shown()}
		if len(s.Problems) > 0 {
			g.Checks = []output.Check{{Name: "HOOK.md", Outcome: output.Broken, Title: s.Problems[0].Message, Text: lines(s.Problems), Findings: output.Diagnostics(s.Problems)}}
		} else {
			g.Missing = len(s.Cases) - len(s.Results)
		}
		for _, r := range s.Results {
			g.Checks = append(g.Checks, checkOf(r))
		}
		report.Groups = append(report.Groups, g)
	}
	return report
}

func checkOf(r *cases.Result) output.Check {
	c := output.Check{Name: r.Case.Name, File: r.Case.Path, Took: r.Duration, Findings: output.Diagnostics(r.Case.Diagnostics)}
	if r.Hook != nil {
		c.Stdout, c.Stderr = r.Hook.Stdout, r.Hook.Stderr
	}
	add := func(rule string, level output.Level, text string) {
		c.Findings = append(c.Findings, output.Finding{Rule: rule, Level: level, File: r.Case.Path, Message: text})
	}
	switch r.Status {
	case cases.Stopped:
		c.Outcome = output.Stopped
	case cases.Broken:
		c.Outcome, c.Text = output.Broken, strings.TrimSpace(lines(r.Case.Diagnostics)+r.Problem)
		c.Title, _, _ = strings.Cut(c.Text, "\n")
		if r.Problem != "" {
			add("case-broken", output.Error, r.Problem)
		}
	case cases.Failed:
		c.Outcome = output.Failed
		for i, m := range r.Mismatches {
			line := fmt.Sprintf("%s: expected %s, got %s", m.What, m.Expected, m.Got)
			if i == 0 {
				c.Title = line
			}
			c.Text += fmt.Sprintf("%s\n  expected  %s\n  got       %s\n", m.What, m.Expected, m.Got)
			add("case-fail", output.Error, line)
		}
	}
	for _, w := range r.Warnings {
		add("case-warning", output.Warning, w)
	}
	return c
}

func lines(diagnostics []spec.Diagnostic) string {
	var b strings.Builder
	for _, d := range diagnostics {
		fmt.Fprintln(&b, d)
	}
	return b.String()
}
