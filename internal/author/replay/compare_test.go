package replay

import (
	"fmt"
	"strings"
	"testing"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/record"
	"github.com/agent-hooks/agent-hooks/protocol"
)

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
			r := Result{Record: &record.Record{Hooks: []record.Hook{{Hook: "h", Scope: "other", Outcome: "x"}, test.was}}, Report: &agenthooks.Report{Hooks: []*agenthooks.HookReport{&test.now}}}
			r.Record.Hooks[1].Scope = "user"
			var got []string
			for _, c := range r.Compare("h").Changes {
				if c.Was != "x" {
					got = append(got, fmt.Sprintf("%s %s → %s %s", c.Hook, c.Was, c.Now, c.Reason))
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
		"the record is not the whole event: /a cut, /b redacted (token)":    {Altered: []record.Alteration{cut, {At: "/b", How: "token"}}},
		"the record is not the whole event: /a cut, 7 more":                 {Altered: []record.Alteration{cut, {How: "7 more"}}},
		"the record is not the whole event: /a cut, /a cut, /a cut, 1 more": {Altered: []record.Alteration{cut, cut, cut, cut}},
	} {
		if got := Uncertain(&r, "h"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
