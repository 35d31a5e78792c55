package main

import (
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// compareOutput asserts that the last stdout equals a file, in which "…"
// matches any text within a line: cmpout FILE.
func compareOutput(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: cmpout FILE")
	}
	want := strings.Split(strings.TrimSuffix(ts.ReadFile(args[0]), "\n"), "\n")
	if got := ts.ReadFile("stdout"); !matchesOutput(want, got) {
		ts.Fatalf("stdout is not as in %s:\n%s", args[0], got)
	}
}
