package agenthooks

import (
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/matcher"
)

// TestCaught checks that a call whose reading panics counts as unreadable, which matches.
func TestCaught(t *testing.T) {
	t.Parallel()
	search := func() ([]matcher.Passage, string) {
		return caught(func() ([]matcher.Passage, string) { panic("out of range") })
	}
	result := matcher.New("", "^npm publish").Match(matcher.Subject{Names: []string{"Shell"}, Passages: search})
	if !result.Matched || !strings.Contains(result.Warning, "internal error: out of range") {
		t.Errorf("%+v", result)
	}
}
