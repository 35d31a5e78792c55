// Package output writes the results of a command that checks hooks, in one of several formats:
// what the command says to people, its own JSON, JUnit's XML and SARIF. It has one file for each.
//
// It does not decide what a result is, nor the exit status: the commands validate, update --check,
// test and replay make a [Report] of what they found.
package output

import (
	"io"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

// Format writes a report.
type Format interface {
	Write(w io.Writer, r *Report) error
}

// formats are all formats, the default first.
var formats = []struct {
	name   string
	format Format
}{
	{"text", text{}},
	{"json", asJSON{}},
	{"junit", junit{}},
	{"sarif", sarif{}},
}

// Names returns the names of the formats, the default first.
func Names() (names []string) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// Find returns the format with a name, or nil. "" is the default.
func Find(name string) Format {
	i := max(0, slices.Index(Names(), name))
	if name != "" && formats[i].name != name {
		return nil
	}
	return formats[i].format
}

// Report is what a command found.
type Report struct {
	Version string        // of the program
	Took    time.Duration // by the command
	Root    string        // SARIF names the files in this folder by their paths from there; "" for none
	Groups  []Group
	Rules   []Rule // those that findings may name

	Text func() error // prints the report for people
	JSON any          // the command's own form of the report
}

// Group is the checks of one hook, or of one file.
type Group struct {
	Name    string
	Checks  []Check
	Missing int // checks that did not begin
}

// Outcome is how a check ended.
type Outcome int

// The outcomes of a check.
const (
	Passed Outcome = iota
	Failed
	Broken // it could not be made
	Stopped
)

// Check is one test case, one hook that was validated or compared, or one row of a replay.
type Check struct {
	Name           string
	File           string // "" if it has none of its own
	Outcome        Outcome
	Title, Text    string // why it did not pass: one line, and everything
	Took           time.Duration
	Stdout, Stderr string
	Findings       []Finding // also of a check that passed
}

// Level is the importance of a finding, in SARIF's words.
type Level string

// The levels of findings.
const (
	Note    Level = "note"
	Warning Level = "warning"
	Error   Level = "error"
)

// Finding is one problem, or one row, with its place.
type Finding struct {
	Rule         string // a stable name, such as a diagnostic's code
	Level        Level
	File         string
	Line, Column int // from 1; 0 if unknown
	Message      string
	Count        int // how often it occurred; 0 counts as 1
}

// Rule describes what findings of one kind have in common.
type Rule struct{ ID, Meaning, Fix string }

// Diagnostics returns diagnostics as findings.
func Diagnostics(all []spec.Diagnostic) (findings []Finding) {
	for _, d := range all {
		level := Error
		if d.Severity == spec.Warning {
			level = Warning
		}
		findings = append(findings, Finding{Rule: d.Code, Level: level, File: d.Path, Line: d.Line, Column: d.Column, Message: d.Message})
	}
	return findings
}

// DiagnosticRules returns the rules of diagnostics.
func DiagnosticRules() (rules []Rule) {
	for _, c := range spec.Codes() {
		rules = append(rules, Rule{c.Code, c.Meaning, c.Fix})
	}
	return rules
}
