package agenthooks

import (
	"context"
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// finish merges the answers about the final event, and drops those about
// superseded ones (D29, D88).
func (r *runner) finish() {
	var answers []protocol.Answer
	for _, t := range r.turns {
		if t.version == r.version && !t.answer.Empty() {
			answers = append(answers, t.answer)
		}
	}
	r.report.Answer = protocol.Merge(answers)
	if r.ignoredAsk && r.report.Answer.Decision == protocol.Allow {
		// Another hook's allow must not replace the ask (D45).
		r.report.Answer.Decision, r.report.Answer.Reason = protocol.NoOpinion, ""
	}
	if !r.blocked && r.ctx.Err() != nil && context.Cause(r.ctx) != ErrDeadline {
		r.report.Blocked, r.report.Canceled = true, true
		r.report.Answer = protocol.Answer{Decision: protocol.Deny, Reason: "the run was canceled before every hook had decided"}
	}
	r.changes.apply(&r.report.Answer, r.report.Blocked)
	r.report.Warnings = append(r.report.Warnings, replaced(r.plan)...)
	r.report.Warnings = append(r.report.Warnings, r.plan.Warnings...)
	r.report.Warnings = append(r.report.Warnings, r.hookWarnings()...)
}

// hookWarnings returns the warnings from the hooks' reports. Warnings from the
// project's hooks are limited, because a project may have any number of hooks.
func (r *runner) hookWarnings() (warnings []string) {
	shown, more, hooks := 0, 0, 0
	refused := r.refusedAlike()
	for _, t := range r.turns {
		if names := refused[t.refusal()]; len(names) > 1 {
			if names[0] == t.report.Hook {
				const most = 5
				list := strings.Join(names[:min(len(names), most)], ", ")
				if len(names) > most {
					list += fmt.Sprintf(" and %d more", len(names)-most)
				}
				warnings = append(warnings, fmt.Sprintf("hooks %s: %s", list, t.report.Warnings[0]))
			}
			continue
		}
		if len(t.report.Warnings) > 0 && t.row.Hook.Scope == discovery.ProjectScope && shown >= maxAlike {
			more, hooks = more+len(t.report.Warnings), hooks+1
			continue
		}
		for _, w := range t.report.Warnings {
			warnings = append(warnings, fmt.Sprintf("hook %s: %s", t.report.Hook, w))
		}
		if t.row.Hook.Scope == discovery.ProjectScope {
			shown += len(t.report.Warnings)
		}
	}
	if more > 0 {
		warnings = append(warnings, fmt.Sprintf("%d more warnings about %d hooks of the project; run --report FILE lists them all", more, hooks))
	}
	return warnings
}

// refusal returns the only warning about a hook that others can change; "" for
// any other hook.
func (t *turn) refusal() string {
	if t.row.Failed != Safe || len(t.report.Warnings) != 1 {
		return ""
	}
	return t.report.Warnings[0]
}

// refusedAlike returns the names of the hooks with the same refusal, such as
// all hooks of a checkout that a group can write.
func (r *runner) refusedAlike() map[string][]string {
	names := map[string][]string{}
	for _, t := range r.turns {
		if text := t.refusal(); text != "" {
			names[text] = append(names[text], t.report.Hook)
		}
	}
	return names
}

// replaced returns a warning for each user hook on the event that a project's
// hook replaces (D6), because the repository's author wrote the replacement.
func replaced(plan *Plan) []string {
	var warnings []string
	for _, row := range plan.Rows {
		if row.Failed == Replaced {
			warnings = append(warnings, fmt.Sprintf("%s hook %s does not run: %s", row.Hook.Scope, row.Hook.Shown(), row.Saw))
		}
	}
	return warnings
}
