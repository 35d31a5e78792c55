package manifest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParserForgetsFiles checks that a Parser returns the same for a file as Parse does, no
// matter which files it has read before.
func TestParserForgetsFiles(t *testing.T) {
	var files []string
	for _, keys := range []string{"license: MIT\n", "retries: 1\n", "matcher: {license: a, retries: b}\n", "metadata: {license: a, retries: 1}\n", "metadata: {retry: 1, retrys: 2}\n"} {
		files = append(files, "---\nname: a\ndescription: b\ntrigger: pre-tool-call\n"+keys+"---\n")
	}
	for i := range 100 { // more than it keeps
		files = append(files, fmt.Sprintf("---\nname: a\nkey%d: b\nmetadata: {retry%d: 1}\n---\n", i, i))
	}
	var p Parser
	for range 2 {
		for _, file := range files {
			gotHook, got := p.Parse([]byte(file), "a")
			wantHook, want := Parse([]byte(file), "a")
			if diff := cmp.Diff(want, got) + cmp.Diff(wantHook, gotHook); diff != "" {
				t.Errorf("%s\n%s", file, diff)
			}
		}
	}
}
