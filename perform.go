package agenthooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/environ"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/shell"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

var (
	errTimeout  = errors.New("timeout")
	errCanceled = errors.New("the run was canceled before the hook had decided")
)

// command returns the command that starts the hook's process.
func (r *performer) command(t *turn) *exec.Command {
	t.event, t.guess = r.view(t.row)
	t.foreign = r.foreign(t.row, t.event)
	c := &exec.Command{
		Path: t.row.entry.Argv[0], Args: t.row.entry.Argv, Dir: r.plan.WorkDir, Env: r.environ(t),
		Stdin: t.event, Timeout: t.row.Hook.Timeout,
		MaxStdout: spec.MaxOutput + 2*r.event.Size(), MaxStderr: spec.MaxOutput,
		Complete: protocol.Complete,
	}
	if t.foreign != nil {
		t.parts, t.undivided = r.parts(t.row, t.event)
		c.Stdin, c.Dir = payload(t.foreign.Stdin), t.foreign.Dir
	}
	return c
}

// execute runs one hook and returns its answer. After a failure it retries as
// often as the hook allows, all within the hook's timeout (D12).
func (r *performer) execute(ctx context.Context, t *turn) protocol.Answer {
	if ctx.Err() != nil {
		return t.failure(ended(ctx))
	}
	if t.undivided != nil {
		return t.failure(t.undivided)
	}
	if t.parts != nil {
		return r.executeParts(ctx, t)
	}
	return r.executeWhole(ctx, t)
}

// executeWhole runs one hook on t.event.
func (r *performer) executeWhole(ctx context.Context, t *turn) protocol.Answer {
	if t.foreign != nil && t.foreign.Agent.Converses {
		return r.converse(ctx, t)
	}
	return r.executeOnce(ctx, t)
}

// executeOnce runs one hook on one event.
func (r *performer) executeOnce(ctx context.Context, t *turn) protocol.Answer {
	var answer protocol.Answer
	var err error
	exec.Retry(ctx, *t.prepared, t.row.Hook.Retry, func(result exec.Result) bool {
		r.judging.Lock()
		defer r.judging.Unlock()
		r.room -= t.report.take(result, r.room)
		if answer, err = r.judge(t, result); result.Canceled {
			err = ended(ctx)
		}
		return err != nil
	})
	if err != nil {
		return t.failure(err)
	}
	return answer
}

// timeoutAfter is the failure of a hook that did not end within its timeout.
func timeoutAfter(timeout time.Duration) error {
	return fmt.Errorf("%w after %d ms", errTimeout, timeout.Milliseconds())
}

// unfinished returns why a process did not exit by itself, nil if it did (D27).
func unfinished(result exec.Result, timeout time.Duration) error {
	switch {
	case result.Err != nil:
		return result.Err
	case result.TimedOut:
		return timeoutAfter(timeout)
	case result.Canceled:
		return errCanceled
	case result.Signal != "":
		return fmt.Errorf("killed by %s", result.Signal)
	}
	return nil
}

// judge returns the answer of one process of the hook.
func (r *performer) judge(t *turn, result exec.Result) (protocol.Answer, error) {
	if err := unfinished(result, t.row.Hook.Timeout); err != nil {
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
	answer, warnings, err := t.foreign.judge(t.event, t.report.Hook, exit)
	fitted := t.event
	if err == nil && t.guess != nil {
		fitted = t.guess.event
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

// take records the result of a process. It keeps at most room bytes of its
// output, so that the report stays bounded for any number of hooks, and returns
// the number of bytes kept.
func (h *HookReport) take(r exec.Result, room int) (kept int) {
	h.Runs++
	h.Duration += r.Duration
	h.Status, h.Signal = r.Status, r.Signal
	stdout := r.Stdout.Data[:min(len(r.Stdout.Data), spec.MaxOutput, room)]
	stderr := r.Stderr.Data[:min(len(r.Stderr.Data), room-len(stdout))]
	h.Stdout, h.Stderr = string(stdout), string(stderr)
	kept = len(stdout) + len(stderr)
	h.Dropped = r.Stdout.Dropped + r.Stderr.Dropped + int64(len(r.Stdout.Data)+len(r.Stderr.Data)-kept)
	return kept
}

// isConstant reports whether the hook's HOOK.md is its answer, so that no process
// is started (D77).
func (t *turn) isConstant() bool { return t.row.Hook.Answer != nil }

// constant returns the constant answer of a hook that runs. An allow that D78
// does not permit is no opinion.
func (r *performer) constant(t *turn) protocol.Answer {
	hook := t.row.Hook
	given := hook.Answer
	a := protocol.Answer{
		Decision: protocol.Decision(given.Decision), AdditionalContext: given.AdditionalContext, SystemMessage: given.SystemMessage,
	}
	if a.Decision != protocol.NoOpinion {
		a.Reason = cmp.Or(strings.TrimSpace(given.Reason), strings.TrimSpace(hook.Description))
	}
	if t.report.Unvouched = t.row.Unvouched; a.Decision == protocol.Allow && t.row.Unvouched != "" {
		a.Decision, a.Reason = protocol.NoOpinion, ""
	}
	a = protocol.Complement(r.event.Type, t.report.Hook, a)
	t.report.Outcome = outcomeOf(a.Decision)
	return a
}

// maxFound limits the text that is appended to a reason, in bytes.
const maxFound = 200

// found returns what matched, as one escaped line for the model; "" if the
// matcher has no pattern.
func (r *Row) found() string {
	switch {
	case r.Warning != "":
		return "it counts as matched: " + shown.Line(short(r.Warning))
	case r.Found != "":
		return "matched: " + shown.Line(cut(r.Found, maxFound))
	}
	return ""
}

// cut shortens a text to a number of bytes.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

// vouch returns why a constant allow does not count for the event (D78); "" if
// it does.
func (p *Plan) vouch(row *Row, s *subject) string {
	hook := row.Hook
	switch {
	case slices.ContainsFunc(hook.Diagnostics, func(d spec.Diagnostic) bool { return d.Severity == spec.Error }):
		return "its HOOK.md has an error"
	case hook.HasScript():
		return "the folder has a script, too"
	case row.Warning != "":
		return "the match is not certain: " + row.Warning
	case row.Guessed != "":
		return row.Guessed
	case s == nil || s.event == nil:
		return "the event has no call to allow"
	}
	if why := assumed(hook.When, s.event); why != "" {
		return why
	}
	if why := otherMembers(s.event); why != "" {
		return why
	}
	if hook.Match == manifest.Commands && hook.Pattern != "" {
		return p.vouchCommands(row, s)
	}
	return vouchTool(hook.Tool, s)
}

// vouchCommands checks the commands of a call.
func (p *Plan) vouchCommands(row *Row, s *subject) string {
	if len(s.Own) != 1 || !slices.Contains(s.Names, "Shell") {
		return fmt.Sprintf("the tool %q is not known to be a shell", short(s.names))
	}
	err := s.commands().Vouch(func(line string) bool {
		return matcher.Whole(row.Hook.Pattern, line) && !slices.ContainsFunc(row.Hook.Unless, func(e string) bool { return matcher.Whole(e, line) })
	})
	if err != nil {
		return err.Error()
	}
	return ""
}

// vouchTool checks a call of a tool without commands.
func vouchTool(tool string, s *subject) string {
	texts, isShell, err := shell.Texts(s.call.Tools, s.call.Inputs)
	switch {
	case tool == "":
		return "without metadata.match: commands, it needs a matcher.tool that matches the tool's whole name"
	case isShell || len(texts) > 0 || err != nil:
		return "the tool runs commands, so it needs metadata.match: commands"
	case len(s.Own) != 1 || !matcher.WholeName(tool, s.Names):
		return "matcher.tool does not match a whole name of the tool"
	}
	return ""
}

// assumed returns which condition on a field of the event was not decided.
func assumed(when []manifest.Condition, event *protocol.Event) string {
	for _, c := range when {
		if values, undecided := event.Field(c.Field); len(values) == 0 || undecided != "" {
			return fmt.Sprintf("the event has no certain %s, which metadata.when needs", c.Field)
		}
	}
	return ""
}

// harmlessMembers are the members of a shell tool's input that change nothing
// about what its command does.
var harmlessMembers = [...]string{"description", "explanation", "timeout", "timeout_ms", "yield_time_ms", "max_output_tokens"}

// otherMembers returns which member of a shell tool's input an allow cannot
// vouch for, such as one that leaves a sandbox or changes the directory. Those
// that are false, null or empty say nothing.
func otherMembers(event *protocol.Event) (why string) {
	own, _ := event.ToolNames()
	if !slices.ContainsFunc(append(slices.Clip(own), event.OtherToolNames()...), func(name string) bool { return slices.Contains(spec.ToolNames(name), "Shell") }) {
		return ""
	}
	for _, input := range event.ToolInputs() {
		err := rawjson.Members(input, func(key string, value []byte) bool {
			row := spec.KeyOf(key)
			text, isText := rawjson.Text(value)
			quiet := string(value) == "null" || string(value) == "false" || string(value) == "0" || isText && text == ""
			if !quiet && !slices.Contains(harmlessMembers[:], key) && (row == nil || row.Canonical != "command") && why == "" {
				why = fmt.Sprintf("an allow vouches for a command only, and the input also has %q", short(key))
			}
			return true
		})
		if err != nil {
			return "the input cannot be read"
		}
	}
	return why
}

// policy returns the effect of a failure of the hook, and the key that sets it.
func (t *turn) policy() (policy manifest.OnFailure, source string) {
	hook := t.row.Hook
	policy = hook.Policy()
	if policy != hook.OnFailure {
		return policy, "metadata.answer"
	}
	return policy, "on-failure"
}

// inherited returns the environment without agent-hooks' own variables, the
// absolute entries of PATH, and AGENT_HOOKS_DEPTH.
func inherited(environ []string) (rest []string, path string, depth int) {
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		switch upper := strings.ToUpper(name); {
		case upper == "AGENT_HOOKS_DEPTH":
			depth, _ = strconv.Atoi(value)
		case strings.HasPrefix(upper, "AGENT_HOOKS_"):
		case upper == "PATH":
			path = absoluteEntries(value)
			fallthrough
		default:
			rest = append(rest, kv)
		}
	}
	return slices.Clip(rest), path, max(depth, 0)
}

// absoluteEntries returns a search list without its empty and relative entries.
func absoluteEntries(list string) string {
	separator := string(os.PathListSeparator)
	entries := strings.Split(list, separator)
	return strings.Join(slices.DeleteFunc(entries, func(e string) bool { return !filepath.IsAbs(strings.Trim(e, `"`)) }), separator)
}

// clean returns a function that returns the environment that hooks inherit (D89).
// It cleans the environment on the first call.
func (p *Plan) clean() func() *environ.Cleaned {
	return sync.OnceValue(func() *environ.Cleaned {
		h := p.hooks
		return environ.Clean(h.environ, environ.Where{
			Project: func() []string { return append([]string{h.Project.Root, p.WorkDir}, h.around()...) },
			Homes:   h.homes,
			Keep:    h.settings.Environment(),
			Root:    os.Geteuid() == 0,
		})
	})
}

// path returns PATH as a hook inherits it.
func (p *Plan) path(hook *discovery.Hook) string { return p.cleaned().Path(isProjects(hook)) }

func isProjects(hook *discovery.Hook) bool { return hook.Scope == discovery.ProjectScope }

// environ returns the environment of a hook's process.
func (r *performer) environ(t *turn) []string {
	return append(t.foreign.environ(r.plan.cleaned().Environ(isProjects(t.row.Hook))), r.variables(t)...)
}

// variables returns the AGENT_HOOKS_ variables for one hook (D22). A value that
// is too large or that an environment cannot hold is omitted with a warning.
func (r *performer) variables(t *turn) (vars []string) {
	for _, v := range []struct{ name, value string }{
		{"AGENT_HOOKS_EVENT", string(r.plan.Event.Type)},
		{"AGENT_HOOKS_HOOK", t.row.Hook.Folder},
		{"AGENT_HOOKS_HOOK_DIR", t.row.Hook.Dir},
		{"AGENT_HOOKS_PROJECT_DIR", r.plan.hooks.Project.Root},
		{"AGENT_HOOKS_WORK_DIR", r.plan.WorkDir},
		{"AGENT_HOOKS_SESSION_ID", r.plan.Event.SessionID},
		{"AGENT_HOOKS_AGENT", r.plan.hooks.agent},
		{"AGENT_HOOKS_DEPTH", strconv.Itoa(r.plan.hooks.depth + 1)},
		{"AGENT_HOOKS_PROGRAM", r.plan.hooks.program},
	} {
		switch {
		case v.name == "AGENT_HOOKS_PROGRAM" && v.value == "":
		case strings.ContainsRune(v.value, 0):
			t.report.warnf("%s is omitted: its value has a NUL byte", v.name)
		case len(v.value) > spec.MaxEnvValue:
			t.report.warnf("%s is omitted: its value is above 4 KiB", v.name)
		default:
			vars = append(vars, v.name+"="+v.value)
		}
	}
	return append(vars, "PWD="+r.plan.WorkDir)
}

// Cleaned describes what hooks do not inherit of the caller's environment,
// because it would make programs run the project's files or not do their work
// (D89), one line each.
func (p *Plan) Cleaned() []string { return p.cleaned().Notes() }

// explained adds to a failure what the hook did not inherit, if that could explain
// it (D89).
func (p *Plan) explained(row *Row, cause error) error {
	if why := p.why(row, cause.Error()); why != "" {
		return &explainedError{cause, why}
	}
	return cause
}

// why returns what the hook did not inherit, if that could explain its failure.
func (p *Plan) why(row *Row, failure string) string {
	return p.cleaned().Explain(func() environ.Failure {
		program, script := row.entry.Program()
		return environ.Failure{
			Project: isProjects(row.Hook), Program: program, Text: failure + "\n" + script,
			Missing: program == "" || strings.Contains(failure, "not found") || strings.Contains(failure, "exit status 127"),
		}
	})
}

// explainedError is a failure with what could explain it.
type explainedError struct {
	error
	why string
}

func (e *explainedError) Error() string { return e.error.Error() + " (" + e.why + ")" }
func (e *explainedError) Unwrap() error { return e.error }

// notRead returns why a process that exited with status 2 did not run its
// script, nil if it may have run. Interpreters exit with that status if they
// cannot open their script, and shells also if they cannot parse it (D11). The
// text on stderr proves nothing, because it may quote the event.
func (r *performer) notRead(t *turn, result exec.Result) error {
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
	if unfinished(result, limit) != nil || result.Status == 0 {
		return nil
	}
	class := filepath.Base(s.Interpreter) + " rejects its script"
	first, _, _ := strings.Cut(string(result.Stderr.Data), "\n")
	return &protocol.QuotingError{Class: class, Message: class + ": " + oneLine(strings.ToValidUTF8(first, "\ufffd"))}
}
