package agenthooks_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestWorkflowRunsEveryPart checks that the hosted workflow runs every part of
// .ci/run on Linux, and the tests on every system.
func TestWorkflowRunsEveryPart(t *testing.T) {
	script, workflow := read(t, ".ci/run"), read(t, ".github/workflows/ci.yml")
	all := strings.Fields(regexp.MustCompile(`(?m)^PARTS="(.*)"$`).FindStringSubmatch(script)[1])
	for _, part := range all {
		if !strings.Contains(script, "\npart_"+part+"() {") || !regexp.MustCompile(`\n#\t`+part+` `).MatchString(script) {
			t.Errorf(".ci/run has no function or no description for its part %s", part)
		}
	}
	systems := strings.Split(regexp.MustCompile(`(?m)^ +system: \[(.*)\]$`).FindStringSubmatch(workflow)[1], ", ")
	if want := []string{"ubuntu", "macos", "windows"}; !slices.Equal(systems, want) {
		t.Errorf("the workflow runs on %q, want %q", systems, want)
	}
	everywhere := strings.FieldsFunc(regexp.MustCompile(`(?m)^ +parts: \[(.*)\]$`).FindStringSubmatch(workflow)[1], func(r rune) bool { return r == ' ' || r == ',' })
	for _, part := range []string{"test", "race"} {
		if !slices.Contains(everywhere, part) {
			t.Errorf("the workflow does not run the part %s on every system", part)
		}
	}
	once := regexp.MustCompile(`(?m)^ +- system: ubuntu\n +parts: (.*)$`).FindStringSubmatch(workflow)[1]
	run := slices.Sorted(slices.Values(append(everywhere, strings.Fields(once)...)))
	if want := slices.Sorted(slices.Values(all)); !slices.Equal(run, want) {
		t.Errorf("the workflow runs the parts %q on Linux, .ci/run has %q", run, want)
	}
}
