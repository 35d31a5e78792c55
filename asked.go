package agenthooks

import (
	"strconv"
	"strings"

	kept "github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// deniedAgain is added to the second denial of a call, and alone from alwaysDenied on (D152).
const (
	deniedAgain  = "This was denied before, and will be again. Tell the user what you wanted to do, and continue with something else."
	alwaysDenied = 5
)

// askedAgain changes the words of a denial that the same hook has already given to the same call in
// this session. The count decides nothing, so that the user may write it; managed hooks use none
// (D100).
func (r *runner) askedAgain(s *state, report *Report) {
	event, records := r.plan.Event, r.plan.hooks.records
	if event.Type != spec.PreToolCall || event.SessionID == "" || records.config == nil || s.blocker < 0 {
		return
	}
	t := &s.turns[s.blocker]
	if t.report.Outcome != OutcomeDeny || isManaged(t.row.Hook) || t.row.Hook.Protocol != "" || report.Answer.Decision != protocol.Deny {
		return
	}
	agent, _ := event.Field("agent_id")
	denial := []string{"denied", event.SessionID, strings.Join(agent, "\x00"), t.report.Scope, t.report.Hook, toolName(event), string(event.ToolInput())}
	facts, n := kept.FactsIn(records.state), 1
	for n < alwaysDenied && !facts.Add(append(denial, strconv.Itoa(n))...) {
		n++
	}
	switch {
	case n == 1:
	case n < alwaysDenied:
		report.Answer.Reason = strings.TrimRight(report.Answer.Reason, "\n") + "\n" + deniedAgain
	default:
		report.Answer.Reason = deniedAgain
	}
}
