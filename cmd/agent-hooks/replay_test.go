package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/record"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/protocol"
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

func TestCompare(t *testing.T) {
	deny := protocol.Answer{Decision: protocol.Deny, Reason: "no"}
	changes := protocol.Answer{ModifiedInput: []byte(`{}`)}
	for name, test := range map[string]struct {
		was  record.Hook
		now  agenthooks.HookReport
		want string
	}{
		"the same":                 {record.Hook{Outcome: "deny"}, agenthooks.HookReport{Outcome: agenthooks.OutcomeDeny, Answer: deny}, ""},
		"not concerned any more":   {record.Hook{Outcome: "none"}, agenthooks.HookReport{Outcome: agenthooks.NotConcerned}, ""},
		"blocks":                   {record.Hook{Outcome: "not-concerned"}, agenthooks.HookReport{Outcome: agenthooks.OutcomeDeny, Answer: deny}, "h none → deny no"},
		"not reached then":         {record.Hook{Outcome: "not-reached"}, agenthooks.HookReport{Outcome: agenthooks.OutcomeDeny, Answer: deny}, ""},
		"not reached now":          {record.Hook{Outcome: "deny"}, agenthooks.HookReport{Outcome: agenthooks.NotReached}, ""},
		"changes the input":        {record.Hook{Outcome: "none"}, agenthooks.HookReport{Outcome: agenthooks.OutcomeNone, Answer: changes}, "h none → changed input "},
		"changed the input":        {record.Hook{Outcome: "allow", Modified: true}, agenthooks.HookReport{Outcome: agenthooks.OutcomeAllow, Answer: protocol.Answer{Decision: protocol.Allow}}, "h allow, changed input → allow "},
		"a block that counted not": {record.Hook{Outcome: "deny", Decision: "allow"}, agenthooks.HookReport{Outcome: agenthooks.OutcomeDeny}, ""},
		"fails otherwise":          {record.Hook{Outcome: "failure", Decision: "allow"}, agenthooks.HookReport{Outcome: agenthooks.TimedOut, Cause: "timeout", Answer: deny}, "h failure, operation allowed → timeout, blocked timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			test.was.Hook, test.now.Hook, test.now.Scope = "h", "h", "user"
			r := replayed{record: &record.Record{Hooks: []record.Hook{{Hook: "h", Scope: "other", Outcome: "x"}, test.was}}, report: &agenthooks.Report{Hooks: []*agenthooks.HookReport{&test.now}}}
			r.record.Hooks[1].Scope = "user"
			var got []string
			for _, c := range r.compare("h").changes {
				if c.Was != "x" {
					got = append(got, fmt.Sprintf("%s %s %s", c.Hook, c.arrow(), c.Reason))
				}
			}
			if strings.Join(got, "; ") != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestUncertain(t *testing.T) {
	cut := record.Alteration{At: "/a", How: "cut"}
	for want, r := range map[string]record.Record{
		"":                                   {Hooks: []record.Hook{{Hook: "h", Modified: true}}},
		"another hook had changed the input": {Hooks: []record.Hook{{Hook: "x", Modified: true}}},
		"the record is not the whole event: /a cut, redacted (token)":       {Altered: []record.Alteration{cut, {How: "token"}}},
		"the record is not the whole event: /a cut, /a cut, /a cut, 1 more": {Altered: []record.Alteration{cut, cut, cut, cut}},
	} {
		if got := uncertain(&r, "h"); got != want {
			t.Errorf("got %q, want %q", got, want)
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
