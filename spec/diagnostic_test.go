package spec

import (
	"regexp"
	"slices"
	"testing"
)

func TestDiagnosticString(t *testing.T) {
	tests := []struct {
		d    Diagnostic
		want string
	}{
		{Diagnostic{Path: "a/HOOK.md", Line: 3, Column: 7, Code: "trigger", Message: "no event"}, "a/HOOK.md:3:7: no event [trigger]"},
		{Diagnostic{Path: "a/HOOK.md", Code: "entry-point", Message: "none"}, "a/HOOK.md: none [entry-point]"},
		{Diagnostic{Path: "a/HOOK.md", Line: 3, Code: "yaml", Message: "broken"}, "a/HOOK.md:3: broken [yaml]"},
		{Diagnostic{Path: "a/HOOK.md", Column: 3, Code: "yaml", Message: "broken"}, "a/HOOK.md: broken [yaml]"},
		{Diagnostic{Line: 3, Column: 7, Code: "yaml", Message: "broken"}, "3:7: broken [yaml]"},
		{Diagnostic{Code: "yaml", Message: "broken"}, "broken [yaml]"},
	}
	for _, test := range tests {
		if got := test.d.String(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestDiagnosticFatal(t *testing.T) {
	tests := []struct {
		code     string
		severity Severity
		want     bool
	}{
		{"yaml", Error, true},
		{"duplicate-key", Error, true},
		{"permissions", Error, true},
		{"unknown-key", Error, false}, // the key is ignored
		{"timeout", Error, false},     // the default is used
		{"priority", Error, false},
		{"matcher-ignored", Warning, false},
		{"from-a-later-version", Error, true},
		{"from-a-later-version", Warning, false},
	}
	for _, test := range tests {
		if got := (Diagnostic{Code: test.code, Severity: test.severity}).Fatal(); got != test.want {
			t.Errorf("a %s with code %q: fatal %v, want %v", test.severity, test.code, got, test.want)
		}
	}
}

func TestSortDiagnostics(t *testing.T) {
	want := []Diagnostic{
		{Path: "a", Code: "z", Message: "whole file"},
		{Path: "a", Line: 2, Column: 3, Code: "name", Message: "m"},
		{Path: "a", Line: 2, Column: 9, Code: "async", Message: "m"},
		{Path: "a", Line: 2, Column: 9, Code: "name", Message: "a"},
		{Path: "a", Line: 2, Column: 9, Code: "name", Message: "b"},
		{Path: "a", Line: 10, Column: 1, Code: "async", Message: "m"},
		{Path: "b", Code: "async", Message: "m"},
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	SortDiagnostics(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestCodes(t *testing.T) {
	word := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := map[string]bool{}
	for _, c := range Codes() {
		switch {
		case !word.MatchString(c.Code), c.Meaning == "", c.Fix == "":
			t.Errorf("%+v is not complete", c)
		case c.Severity != Error && c.Severity != Warning:
			t.Errorf("%s has the severity %q", c.Code, c.Severity)
		case c.Severity == Warning && c.Fatal:
			t.Errorf("%s is a warning, so a hook with it must run", c.Code)
		case seen[c.Code]:
			t.Errorf("%s appears twice", c.Code)
		}
		seen[c.Code] = true
	}
}

// TestHarmless lists the errors that do not stop a hook: whether a run mentions them. It does not
// if the hook runs as its author meant (D85).
func TestHarmless(t *testing.T) {
	mentioned := map[string]bool{
		"file-size": false, "repeated-key": false, "value-type": false, "missing-key": false, "name": false,
		"name-mismatch": false, "description": false,
		"unknown-key": true, "timeout": true, "priority": true, "async": true, "on-failure": true, "retry": true,
		"pure": true, "match": true, "access": true, "form": true, "unless": true, "undecided": true, "own": true, "answer": true, "entry-syntax": true, "scope-size": true,
		"config-file": true, "config-key": true, "config-value": true,
		"case-file": true, "case-key": true, "case-value": true, "case-hook": true,
	}
	for _, c := range Codes() {
		if c.Severity != Error || c.Fatal {
			continue
		}
		want, ok := mentioned[c.Code]
		if !ok {
			t.Errorf("%s: does a run mention it? Answer in Diagnostic.Harmless, and in the table of TestHarmless", c.Code)
		} else if got := !(Diagnostic{Severity: Error, Code: c.Code}).Harmless(); got != want {
			t.Errorf("%s: a run mentions it: %v, want %v", c.Code, got, want)
		}
		delete(mentioned, c.Code)
	}
	for code := range mentioned {
		t.Errorf("%s is in the table of TestHarmless, but is not an error that lets a hook run", code)
	}
}
