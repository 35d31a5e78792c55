package past

import (
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

func TestDescribeEvent(t *testing.T) {
	for event, want := range map[string]string{
		`{"tool_name": "Shell", "tool_input": {"command": "a\nb\u001b[31m"}}`: `Shell: a b\x1b[31m`,
		`{"tool_name": "X", "tool_input": {"n": [1, 2]}}`:                     `X: {"n":[1,2]}`,
		`{"tool_name": "X", "tool_input": "text"}`:                            `X: "text"`,
		`{"tool_name": 5, "tool_input": {"command": "ls"}}`:                   `: ls`,
		`[]`: `: `,
	} {
		tool, text := describeEvent([]byte(event))
		if got := tool + ": " + text; got != want {
			t.Errorf("%s: got %q, want %q", event, got, want)
		}
	}
	if _, text := describeEvent([]byte(`{"tool_input": {"prompt": "` + strings.Repeat("日本", 3000) + `"}}`)); term.Width(text) > 300 {
		t.Errorf("%d columns", term.Width(text))
	}
}
