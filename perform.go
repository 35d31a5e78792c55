package agenthooks

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/reading"
	"github.com/agent-hooks/agent-hooks/internal/resident"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// attempt is one hook's run on the current event.
type attempt struct {
	plan    *Plan
	row     Row
	report  *HookReport
	current *protocol.Event // of the run
	answer  protocol.Answer

	event     *protocol.Event // that the hook reads: a view of the current one
	guess     *reading.Guess  // of which event is the view; nil if it is the current one
	prepared  *exec.Command
	left      time.Duration     // for all processes of it
	foreign   script.Run        // nil if the hook uses the format's own protocol
	parts     []*protocol.Event // the events that it reads instead; nil if event is not divided
	undivided error             // why event cannot be divided
}

// prepare prepares a hook's run on the current event, with a report of its own.
func (r *runner) prepare(s *state, at int) *attempt {
	report := *s.turns[at].report
	report.Warnings, report.Answer = slices.Clip(report.Warnings), protocol.Answer{}
	t := &attempt{plan: r.plan, row: s.turns[at].row, report: &report, current: s.event}
	report.plan(&t.row)
	if t.row.Runs && t.row.Hook.Answer == nil {
		r.command(t)
	}
	return t
}

// plan copies the plan's decision about the hook to the report.
func (h *HookReport) plan(row *Row) {
	h.Failed, h.Saw, h.Cause, h.Found = row.Failed, row.Saw, "", row.Found
	h.Unknown, h.Passed = row.Unknown, row.Passed
	h.Matched = row.Runs || row.Failure != nil
	if !h.Matched {
		h.Outcome = NotConcerned
	}
	if row.Warning != "" {
		h.warnf("%s; counts as matched", row.Warning)
	}
	if row.Failed == Trusted {
		h.warnf("%s; it does not run", shown.OneLine(row.Saw))
	}
	if !row.Runs {
		return
	}
	if news := row.Hook.News(); news != "" {
		h.warnf("%s", shown.OneLine(news))
	}
	for _, d := range row.Hook.Diagnostics {
		if !d.Harmless() {
			h.warnf("%s", shown.OneLine(d.String()))
		}
	}
}

// command prepares the command that starts the hook's process.
func (r *runner) command(t *attempt) {
	t.event, t.guess = r.view(&t.row, t.current)
	t.foreign = r.foreign(&t.row, t.event)
	t.prepared = &exec.Command{
		Path: t.row.entry.Argv[0], Args: t.row.entry.Argv, Dir: r.plan.WorkDir, Env: r.environ(t),
		Stdin: t.event, Timeout: t.row.Hook.Timeout,
		MaxStdout: spec.MaxOutput + 2*t.current.Size(), MaxStderr: spec.MaxOutput,
		Complete: protocol.Complete,
	}
	if t.foreign != nil {
		t.parts, t.undivided = r.parts(&t.row, t.event)
		t.prepared.Stdin, t.prepared.Dir = payload(t.foreign.Reads().Stdin), t.foreign.Reads().Dir
	}
}

// execute runs one hook and returns its answer. After a failure it retries as
// often as the hook allows, all within the hook's limit (D12).
func (r *runner) execute(ctx context.Context, t *attempt) protocol.Answer {
	t.left = t.row.Hook.Limit()
	switch {
	case t.row.Failure != nil:
		return t.failure(t.row.Failure)
	case t.row.Hook.Answer != nil:
		return t.constant()
	case ctx.Err() != nil:
		return t.failure(stopped(ctx))
	case t.undivided != nil:
		return t.failure(t.undivided)
	case t.parts != nil:
		return r.executeParts(ctx, t)
	}
	return r.executeWhole(ctx, t)
}

// executeWhole runs one hook on t.event.
func (r *runner) executeWhole(ctx context.Context, t *attempt) protocol.Answer {
	if t.foreign != nil && t.foreign.Dialog() != nil {
		return r.converse(ctx, t)
	}
	return r.executeOnce(ctx, t)
}

// executeOnce runs one hook on one event.
func (r *runner) executeOnce(ctx context.Context, t *attempt) protocol.Answer {
	var answer protocol.Answer
	var err error
	exec.Retry(ctx, *t.prepared, t.row.Hook.Retry, t.left, func(result exec.Result) bool {
		t.report.take(result)
		answer, err = r.judge(t, result)
		if result.Canceled {
			err = stopped(ctx)
		}
		return err != nil
	})
	if err != nil {
		if again := t.row.Hook.ReadsTwice(); again != "" { // often the cause, and a run cannot see it
			t.report.warnf("%s", again)
		}
		return t.failure(err)
	}
	return answer
}

// judge returns the answer of one process of the hook.
func (r *runner) judge(t *attempt, result exec.Result) (protocol.Answer, error) {
	if err := result.Unfinished(t.row.Hook.Timeout); err != nil {
		return protocol.Answer{}, err
	}
	if result.Status == spec.ExitBlock {
		if err := r.notRead(t, result); err != nil {
			return protocol.Answer{}, err
		}
	}
	exit := protocol.Exit{
		Status: result.Status, Stdout: result.Stdout.Data, Stderr: result.Stderr.Data, Dropped: result.Stdout.Dropped, Event: t.event,
	}
	if caller := r.options.Caller; caller != nil {
		exit.Speaks = func(d protocol.Decision) string { return caller.Speaks(exit, d) }
	}
	var answer protocol.Answer
	var warnings []string
	var err error
	if t.foreign != nil {
		answer, warnings, err = t.foreign.Judge(t.event, t.report.Hook, exit)
	} else {
		answer, warnings, err = protocol.Judge(t.event.Type, t.report.Hook, exit)
	}
	fitted := t.event
	if err == nil && t.guess != nil {
		fitted = t.current
		answer, err = r.restore(t, answer)
	}
	if caller := r.options.Caller; err == nil && caller != nil {
		answer, err = caller.Fit(fitted, answer)
	}
	if err != nil {
		return protocol.Answer{}, err
	}
	t.report.Outcome, t.report.Cause = outcomeOf(answer.Decision), ""
	for _, w := range warnings {
		t.report.warnf("%s", w)
	}
	if n := result.Stderr.Dropped; n > 0 {
		t.report.warnf("stderr is above its limit; %d bytes were dropped", n)
	}
	return answer, nil
}

func outcomeOf(d protocol.Decision) Outcome {
	if d == protocol.NoOpinion {
		return OutcomeNone
	}
	return Outcome(d)
}

// maxKept limits the bytes of output that a report keeps for all hooks
// together.
const maxKept = 16 << 20

// take records the result of a process.
func (h *HookReport) take(r exec.Result) {
	h.Runs++
	h.Duration += r.Duration
	h.Status, h.Signal = r.Status, r.Signal
	stdout := r.Stdout.Data[:min(len(r.Stdout.Data), spec.MaxOutput)]
	h.Stdout, h.Stderr = string(stdout), string(r.Stderr.Data)
	h.Dropped = r.Stdout.Dropped + r.Stderr.Dropped + int64(len(r.Stdout.Data)-len(stdout))
}

// keep drops the output that exceeds room, and returns the length of the rest.
func (h *HookReport) keep(room int) int {
	all := len(h.Stdout) + len(h.Stderr)
	if all <= room {
		return all
	}
	h.Stdout = strings.Clone(h.Stdout[:min(len(h.Stdout), room)])
	h.Stderr = strings.Clone(h.Stderr[:min(len(h.Stderr), room-len(h.Stdout))])
	kept := len(h.Stdout) + len(h.Stderr)
	h.Dropped += int64(all - kept)
	return kept
}

// policy returns the effect of a failure of the hook, and the key that sets it.
func (t *attempt) policy() (policy manifest.OnFailure, source string) {
	hook := t.row.Hook
	policy = hook.Policy()
	if isManaged(hook) && t.row.Failed == Depth { // otherwise a variable could switch it off (D82)
		return manifest.Deny, "managed"
	}
	if policy == manifest.Allow && !hook.OnFailureSet && errors.Is(t.report.failure, script.ErrRedirected) {
		return manifest.Ask, "the original call was not to run"
	}
	if policy != hook.OnFailure {
		return policy, "metadata.answer"
	}
	return policy, "on-failure"
}

// executeParts runs one hook on each part of its event, all within its limit,
// and returns the merged answer. Before an operation, it returns after the first
// deny. A timeout is one failure for all remaining parts.
func (r *runner) executeParts(ctx context.Context, t *attempt) protocol.Answer {
	whole, foreign, limit, begun := t.event, t.foreign, t.left, time.Now()
	defer func() { t.event, t.foreign = whole, foreign }()
	var answers []protocol.Answer
	var failed HookReport // the first failure
	for _, part := range t.parts {
		t.event, t.foreign = part, r.foreign(&t.row, part)
		t.left = limit - time.Since(begun)
		t.prepared.Stdin, t.prepared.Timeout = payload(t.foreign.Reads().Stdin), min(t.row.Hook.Timeout, t.left)
		t.prepared.Env = r.environ(t)
		var answer protocol.Answer
		switch {
		case ctx.Err() != nil: // even if every part before was allowed
			answer = t.failure(stopped(ctx))
		case t.prepared.Timeout <= 0:
			answer = t.failure(exec.TimeoutAfter(t.row.Hook.Timeout))
		default:
			answer = r.executeWhole(ctx, t)
			if !bytes.Equal(part.ToolInput(), whole.ToolInput()) && (answer.ModifiedInput != nil || answer.UpdatedOutput != nil) {
				answer = t.failure(errors.New("bad answer: it changes one file of a call that has several"))
			}
		}
		answers = append(answers, answer)
		err := t.report.failure
		if err != nil && failed.failure == nil {
			failed = *t.report
		}
		if answer.Decision == protocol.Deny && whole.Type.IsPre() || errors.Is(err, exec.ErrTimeout) || errors.Is(err, exec.ErrCanceled) {
			break
		}
	}
	merged := mergeParts(answers)
	t.report.Outcome = outcomeOf(merged.Decision)
	if failed.failure != nil && merged.Decision == protocol.NoOpinion {
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

// converse sends an event to a hook that reads requests and writes responses
// (D60). After a failure it retries as often as the hook allows, all within the
// hook's timeout (D12).
func (r *runner) converse(ctx context.Context, t *attempt) protocol.Answer {
	ctx, cancel := context.WithTimeoutCause(ctx, t.prepared.Timeout, exec.TimeoutAfter(t.prepared.Timeout))
	defer cancel()
	for tries := t.row.Hook.Retry; ; tries-- {
		began := time.Now()
		var result exec.Result
		var err error
		asked := false
		if kept := r.plan.hooks.residents; kept != nil { // the session's process
			result, err, asked = kept.Send(ctx, r.conversation(t))
		}
		if !asked { // one that ends with the event
			result, err = resident.Once(ctx, r.conversation(t))
		}
		if err != nil && ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
			err = stopped(ctx)
		}
		result.Duration = time.Since(began)
		t.report.take(result)
		var answer protocol.Answer
		if err == nil {
			answer, err = r.judge(t, result)
		}
		if err == nil {
			return answer
		}
		if tries <= 0 || ctx.Err() != nil {
			return t.failure(err)
		}
	}
}

// conversation returns the prepared hook as one that converses.
func (r *runner) conversation(t *attempt) *resident.Hook {
	hook := t.row.Hook
	return &resident.Hook{
		Name: cmp.Or(hook.Process, t.report.Hook), Session: t.current.SessionID, Project: r.plan.hooks.Project.Root,
		File: hook.File, Folder: hook.Dir, Kind: string(hook.Scope) + "\x00" + hook.Protocol,
		Command: *t.prepared, Dialog: t.foreign.Dialog(),
	}
}

// notRead returns why a process that exited with status 2 did not run its
// script, nil if it may have run. Interpreters exit with that status if they
// cannot open their script, and shells also if they cannot parse it (D11). The
// text on stderr proves nothing, because it may quote the event.
func (r *runner) notRead(t *attempt, result exec.Result) error {
	entry := t.row.entry
	if f, err := os.Open(entry.Script); err != nil {
		return fmt.Errorf("its entry point %s is gone", entry.Script)
	} else {
		f.Close()
	}
	unparsed := strings.Contains(strings.ToLower(string(result.Stderr.Data)), "syntax error")
	for _, s := range entry.Starts(t.prepared.Dir, t.prepared.Env) {
		if !s.Opens {
			return fmt.Errorf("its script %s is missing or cannot be read", shown.Path(s.Script))
		}
		if s.Shell && s.CRLF {
			return fmt.Errorf("the lines of its script %s end with a carriage return (CRLF), which a shell takes as a part of each command; save it with LF line endings", shown.Path(s.Script))
		}
		if unparsed && s.Shell && s.Interpreter != "" {
			if err := rejects(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// rejects returns the error with which a shell rejects a script, nil if it
// accepts it. It executes nothing of the script.
func rejects(s discovery.Start) error {
	const limit = time.Second
	result := exec.Run(context.Background(), exec.Command{
		Path: s.Interpreter, Args: []string{s.Interpreter, "-n", s.Script}, Dir: filepath.Dir(s.Script),
		Env: []string{"LC_ALL=C"}, Timeout: limit, MaxStderr: 1 << 10,
	})
	if result.Unfinished(limit) != nil || result.Status == 0 {
		return nil
	}
	class := filepath.Base(s.Interpreter) + " rejects its script"
	first, _, _ := strings.Cut(string(result.Stderr.Data), "\n")
	return &protocol.QuotingError{Class: class, Message: class + ": " + shown.OneLine(strings.ToValidUTF8(first, "\ufffd"))}
}

// stopped returns the error for a hook whose context has ended.
func stopped(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(cause, exec.ErrTimeout) {
		return cause
	}
	return exec.ErrCanceled
}

// failure returns the answer for a failed hook (D27, D12).
func (t *attempt) failure(cause error) protocol.Answer {
	if errors.Is(cause, exec.ErrCanceled) {
		t.cancel()
		return protocol.Answer{}
	}
	cause = t.plan.explained(&t.row, cause)
	t.report.Outcome, t.report.Cause, t.report.failure = Failed, cause.Error(), cause
	if errors.Is(cause, exec.ErrTimeout) {
		t.report.Outcome = TimedOut
	}
	policy, source := t.policy()
	reason := protocol.Reason([]byte(fmt.Sprintf("hook %s: %s (%s: %s)", t.report.Hook, cause, source, policy)))
	switch policy {
	case manifest.Deny:
		return protocol.Answer{Decision: protocol.Deny, Reason: reason}
	case manifest.Ask:
		return protocol.Answer{Decision: protocol.Ask, Reason: reason}
	}
	t.report.warnf("%s; operation allowed", shown.OneLine(cause.Error()))
	return protocol.Answer{}
}

// cancel records that the run ended before the hook had decided. This is not a
// failure of the hook, and allows nothing (D71).
func (t *attempt) cancel() {
	t.report.Outcome, t.report.Cause, t.report.failure = Canceled, exec.ErrCanceled.Error(), exec.ErrCanceled
	t.report.warnf("%s", t.report.Cause)
}

// qualify adds to the reason of a block or a question that the tool is guessed,
// and removes an allow that rests on the guess (D87) or ignores an extension (D141). cause is the end of the reason
// that says what matched.
func (r *runner) qualify(t *attempt) (a protocol.Answer, cause string) {
	a = t.answer
	t.report.Guessed = t.row.Guessed
	switch a.Decision {
	case protocol.Deny, protocol.Ask:
		if found := t.row.found(); t.row.Hook.Answer != nil && t.row.Runs && found != "" {
			cause = " (" + found + ")"
		}
		if t.row.Guessed != "" {
			cause += " (" + t.row.Guessed + ")"
		}
		if cause != "" {
			a.Reason = protocol.Reason([]byte(strings.TrimRight(a.Reason, "\n") + cause))
		}
	case protocol.Allow:
		if key := unknownExtension(t.row.Hook); key != "" {
			a.Decision, a.Reason = protocol.NoOpinion, ""
			t.report.warnf("its allow is ignored, because %s says something that this version of agent-hooks does not know", key)
			return a, ""
		}
		g := r.guess(t.row.Hook, t.current)
		anyTool := t.row.Hook.Tool == "" || t.row.matcher == nil || t.row.matcher.AnyTool()
		reads := t.guess != nil && g.Adds() && !g.Decided && (!g.Unknown || anyTool)
		if g != nil && (t.row.Guessed != "" || reads) {
			a.Decision, a.Reason = protocol.NoOpinion, ""
			key := g.Name // in hooks.toml
			if strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") != "" || key == "" {
				key = string(rawjson.AppendText(nil, shown.Short(key)))
			}
			t.report.warnf("its allow is ignored, because what the tool %q does is guessed; declare it in your hooks.toml: [tools] %s = \"Shell\"", shown.Short(g.Name), key)
		}
	}
	return a, cause
}
