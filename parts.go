package agenthooks

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// parts divides an event for a hook of a system whose tools take one file per
// call: it returns one event for each file that the hook's matcher matches. It
// returns nil if the event needs no division. A call with too many files is an
// error. The matcher has one budget for all parts; those that it does not decide
// within it count as matched (D19).
func (r *runner) parts(row *Row, event *protocol.Event) (parts []*protocol.Event, err error) {
	a := agent.Find(row.Hook.Protocol)
	if a == nil {
		return nil, nil
	}
	all, err := a.Split(event, r.options.Caller)
	if err != nil {
		return nil, err
	}
	until := time.Now().Add(spec.MatchBudget)
	for i, part := range all {
		if time.Now().After(until) {
			return append(parts, all[i:]...), nil
		}
		copied := *row
		if r.plan.matches(&copied, part) && copied.matchesWhen(part) {
			parts = append(parts, part)
		}
	}
	return parts, nil
}

// executeParts runs one hook on each part of its event, all within its timeout,
// and returns the merged answer. Before an operation, it returns after the first
// deny. A timeout is one failure for all remaining parts.
func (r *runner) executeParts(ctx context.Context, t *turn) protocol.Answer {
	whole, foreign, timeout, begun := t.event, t.foreign, t.prepared.Timeout, time.Now()
	defer func() { t.event, t.foreign = whole, foreign }()
	var answers []protocol.Answer
	var failed HookReport // the first failure
	for _, part := range t.parts {
		t.event, t.foreign = part, r.foreign(t.row, part)
		t.prepared.Stdin, t.prepared.Timeout = payload(t.foreign.Stdin), timeout-time.Since(begun)
		t.prepared.Env = r.environ(t)
		answers = append(answers, r.executePart(ctx, t, bytes.Equal(part.ToolInput(), whole.ToolInput())))
		err := t.report.failure
		if err != nil && failed.failure == nil {
			failed = *t.report
		}
		if answers[len(answers)-1].Decision == protocol.Deny && whole.Type.IsPre() || errors.Is(err, errTimeout) || errors.Is(err, errCanceled) {
			break
		}
	}
	merged := mergeParts(answers)
	if t.report.Outcome = outcomeOf(merged.Decision); failed.failure != nil && merged.Decision == protocol.NoOpinion {
		t.report.Outcome, t.report.Cause, t.report.failure = failed.Outcome, failed.Cause, failed.failure
	}
	return merged
}

// mergeParts merges the answers about the parts of an event. An allow counts
// only if every part is allowed. Equal texts are not repeated.
func mergeParts(answers []protocol.Answer) protocol.Answer {
	all := !slices.ContainsFunc(answers, func(a protocol.Answer) bool { return a.Decision != protocol.Allow })
	type text struct {
		kind int
		text string
	}
	seen := map[text]bool{}
	for i := range answers {
		a := &answers[i]
		for kind, s := range []*string{&a.Reason, &a.AdditionalContext, &a.SystemMessage, &a.Log} {
			if key := (text{kind, *s}); seen[key] {
				*s = ""
			} else {
				seen[key] = true
			}
		}
		if a.Decision == protocol.Allow && !all {
			a.Decision, a.Reason = protocol.NoOpinion, ""
		}
	}
	return protocol.Merge(answers)
}

// executePart runs one hook on one part of an event. It cannot change a part
// that is not the whole input of the tool.
func (r *runner) executePart(ctx context.Context, t *turn, whole bool) protocol.Answer {
	switch {
	case ctx.Err() != nil: // even if every part before was allowed
		return t.failure(ended(ctx))
	case t.prepared.Timeout <= 0:
		return t.failure(timeoutAfter(t.row.Hook.Timeout))
	}
	answer := r.executeWhole(ctx, t)
	if !whole && (answer.ModifiedInput != nil || answer.UpdatedOutput != nil) {
		return t.failure(errors.New("bad answer: it changes one file of a call that has several"))
	}
	return answer
}
