package main

import (
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

func TestProgressText(t *testing.T) {
	for _, test := range []struct {
		done, all int
		since     time.Duration
		want      string
	}{
		{0, 1000, time.Minute, "0 of 1000 events, 3 changed"},
		{10, 1000, 100 * time.Millisecond, "10 of 1000 events, 3 changed"},
		{250, 1000, 5 * time.Second, "250 of 1000 events, 3 changed, about 15 s left"},
		{1, 1000, 10 * time.Second, "1 of 1000 events, 3 changed, about 3 h left"},
		{100, 1000, 60 * time.Second, "100 of 1000 events, 3 changed, about 9 min left"},
		{999, 1000, 60 * time.Second, "999 of 1000 events, 3 changed, about 1 s left"},
		{1, 1, time.Minute, "1 of 1 event, 3 changed"},
	} {
		if got := progressText(test.done, test.all, 3, test.since); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestDescribeEvent(t *testing.T) {
	for event, want := range map[string]string{
		`{"tool_name": "Shell", "tool_input": {"command": "a\nb\u001b[31m"}}`: `Shell: a b\x1b[31m`,
		`{"tool_name": "X", "tool_input": {"n": [1, 2]}}`:                     `X: {"n":[1,2]}`,
		`{"tool_name": "X", "tool_input": "text"}`:                            `X: "text"`,
		`{"prompt": "do  it"}`:                                                `: do it`,
		`{"prompt": ["do it"]}`:                                               `: `,
		`{"tool_name": 5, "tool_input": {"command": "ls"}}`:                   `: ls`,
		`[]`: `: `,
	} {
		tool, text := describeEvent([]byte(event))
		if got := tool + ": " + text; got != want {
			t.Errorf("%s: got %q, want %q", event, got, want)
		}
	}
	if _, text := describeEvent([]byte(`{"prompt": "` + strings.Repeat("日本", 3000) + `"}`)); term.Width(text) > 300 {
		t.Errorf("%d columns", term.Width(text))
	}
}

func TestReplaySummaryOfNothing(t *testing.T) {
	stopped, done := replaySum{Events: 3}, replaySum{Events: 3, Done: 3, Duration: 7}
	done.Unchanged = 3
	for want, s := range map[string]*replaySum{
		"stopped after 0 of 3 events":              &stopped,
		"3 events in 7 ms: 3 unchanged, 0 changed": &done,
	} {
		if got := s.lines()[0]; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
