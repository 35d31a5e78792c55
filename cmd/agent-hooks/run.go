package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/agents"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/serve"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

const runAbout = `Status 0 means continue, with the answer on stdout; 2 means blocked, with the reason on stderr. The caller asks its user if decision is ask, and uses modified_input instead of the tool's input. A caller that cannot passes --ask deny and --modify deny: such an answer is then a block. With --require-trust, only reviewed hooks of a project run.
`

type runFlags struct {
	policyFlags
	callFlags
	report       string
	dryRun       bool // for doctor
	wait         bool
	deadline     int
	agent        string
	managed      bool // --scope managed
	requireHooks bool
}

func (f *runFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.report, "report", "", "write a full report as JSON to `FILE`; - means stdout, instead of the answer")
	fs.StringVar(&f.agent, "agent", "", "use the format of `AGENT` for input and answer; EVENT is then optional")
	fs.Func("scope", "run only the hooks of a `SCOPE`: managed, the administrator's", func(scope string) error {
		f.managed = scope == string(discovery.ManagedScope)
		if !f.managed {
			return errors.New("only managed can be chosen")
		}
		return nil
	})
	fs.BoolVar(&f.requireHooks, "require-hooks", false, "with --scope managed: deny if there is no folder of managed hooks")
	f.policyFlags.declare(fs)
	f.callFlags.declare(fs)
	fs.BoolVar(&f.dryRun, "dry-run", false, "with --agent: print the number of the event's hooks, and run none")
	fs.BoolVar(&f.wait, "wait", false, "wait for async hooks")
	declareCount(fs, &f.deadline, "deadline", "stop unfinished hooks after `MS` milliseconds, as timeouts")
}

func (f *runFlags) check() error {
	if f.dryRun && f.agent == "" {
		return usagef("agent-hooks why EVENT shows which hooks would run", "run: --dry-run requires --agent")
	}
	if f.agent != "" && f.given() {
		return usagef("agent-hooks run --command TEXT", "run: --tool, --command and --path describe a call of the format, not one of an agent")
	}
	if f.requireHooks && !f.managed {
		return usagef("agent-hooks run --scope managed --require-hooks EVENT", "run: --require-hooks requires --scope managed")
	}
	return nil
}

// context returns the context of a run, which --deadline ends, and the end of the time for the
// project's hooks, because half of it is reserved for the user's (D32); the zero time without a
// deadline.
func (f *runFlags) context(parent context.Context) (ctx context.Context, cancel context.CancelFunc, until time.Time) {
	if f.deadline <= 0 {
		return parent, func() {}, time.Time{}
	}
	deadline := time.Duration(f.deadline) * time.Millisecond
	until = time.Now().Add(deadline / 2)
	ctx, cancel = context.WithTimeoutCause(parent, deadline, agenthooks.ErrDeadline)
	return ctx, cancel, until
}

// load loads the hooks of a run. The project's hooks are read until the given time.
func (f *runFlags) load(env *Env, caller string, event *protocol.Event, until time.Time, whole func(root, state string) bool) *agenthooks.Hooks {
	o := env.runOptions(event)
	if f.dryRun {
		o = env.options(event)
	}
	o.Agent, o.Until, o.ManagedOnly, o.RequireManaged, o.Whole = agents.Named(caller), until, f.managed, f.requireHooks, whole
	return agenthooks.Load(o)
}

// options returns the options of one run whose project's hooks run until the given time.
func (f *runFlags) options(until time.Time) agenthooks.RunOptions {
	o := agenthooks.RunOptions{Wait: f.wait, LogLater: true}
	if !until.IsZero() {
		o.ProjectTime = max(time.Until(until), 1)
	}
	return o
}

// execute is `agent-hooks run EVENT` (D20-D37).
func (flags runFlags) execute(env *Env, args []string) (int, error) {
	if flags.managed { // a crash ends the program with Go's own status 2, which blocks (D99)
		env.crashBlocks = true
		debug.SetTraceback("single")
	}
	if flags.agent != "" {
		return env.runAgent(flags, args)
	}
	event, err := flags.runEvent(args)
	if err != nil {
		return 0, err
	}
	ctx, cancel, until := flags.context(context.Background())
	defer cancel()
	end := endLate(flags.deadline, func() int {
		env.printReason(serve.ErrLate.Error())
		return spec.ExitBlock
	})
	defer end.ended()
	env.enter()
	given, warnings, err := env.eventInput(ctx, "run", event, flags.callFlags)
	if err != nil {
		return 0, err
	}
	hooks := flags.load(env, "", given, until, nil)
	plan := hooks.Plan(given)
	options := flags.options(until)
	options.Ask = cmp.Or(agenthooks.Fallback(flags.ask), agenthooks.Express)
	options.Modify = cmp.Or(agenthooks.Fallback(flags.modify), agenthooks.Express)
	report := env.runner(ctx)(plan, options)
	report.Warnings = append(warnings, report.Warnings...)
	if event == spec.PreSession {
		news := []string{hooks.Paused()}
		if env.requireTrust {
			news = append(news, hooks.Pending().Message())
		}
		report.Warnings = append(report.Warnings, slices.DeleteFunc(news, func(text string) bool { return text == "" })...)
	}
	// Logging comes last, so that its errors cannot change the answer.
	defer func() {
		for _, w := range report.Log() {
			if !report.Blocked { // then stderr is the reason only
				env.warn("%s", w)
			}
		}
	}()
	if flags.report != "" {
		if err := env.writeReport(flags.report, report); err != nil {
			report.Warnings = append(report.Warnings, err.Error())
		}
	}
	return end.answer([]*agenthooks.Report{report}, func() int { return env.answer(report, flags.report != "-") }), nil
}

func (f *runFlags) runEvent(args []string) (spec.EventType, error) {
	if len(args) == 0 && !f.given() {
		return "", usagef("agent-hooks run EVENT < ctx.json; agent-hooks events lists them", "run: no event given")
	}
	return f.event("run", strings.Join(args[:min(1, len(args))], ""))
}

// writeReport writes a report to a new or regular file. It follows no links, and does not block on a FIFO.
func (env *Env) writeReport(name string, report *agenthooks.Report) error {
	b, err := term.JSON(report)
	info, missing := os.Lstat(name)
	switch {
	case err != nil:
	case name == "-":
		_, err = env.Stdout.Write(b)
	case missing != nil:
		err = state.Write(name, b, 0o600)
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s is not a regular file", name)
	default:
		err = state.Write(name, b, info.Mode().Perm())
	}
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// printReason prints the reason of a block on stderr: unchanged for an agent, and printable on a
// terminal.
func (env *Env) printReason(reason string) {
	if term.IsTerminal(env.Stderr) {
		reason = term.PrintableLines(reason)
	}
	fmt.Fprintln(env.Stderr, reason)
}

// answer prints the result of the run (D31): if blocked, only the reason on stderr, and a changed
// output on stdout (D88); otherwise the answer on stdout and the warnings on stderr.
func (env *Env) answer(report *agenthooks.Report, onStdout bool) int {
	if report.Blocked {
		reason := report.Answer.Reason
		if json.Valid([]byte(reason)) {
			// Several agents interpret JSON on stderr or stdout as an answer.
			reason = "hook " + report.BlockedBy + ": " + reason
		}
		if output := report.Answer.UpdatedOutput; output != nil && onStdout {
			b, _ := protocol.Answer{UpdatedOutput: output}.MarshalJSON()
			_, _ = env.Stdout.Write(append(b, '\n')) // a closed stdout does not change a block
		}
		env.printReason(reason)
		return spec.ExitBlock
	}
	env.warnAll(report.Warnings)
	if report.Answer.Empty() || !onStdout {
		return spec.ExitContinue
	}
	b, err := report.Answer.MarshalJSON()
	if err == nil {
		_, err = env.Stdout.Write(append(b, '\n'))
	}
	if err != nil {
		env.warn("the answer could not be written: %v", err)
		return spec.ExitError
	}
	return spec.ExitContinue
}

// superviseName is the internal command with which run starts itself again to supervise async
// hooks (D36).
const superviseName = "supervise-async"

type superviseFlags struct{ noFlags }

// execute runs the jobs on stdin, with the event that follows them.
func (superviseFlags) execute(env *Env, _ []string) (int, error) {
	stdin, ok := env.Stdin.(*os.File)
	if !ok || term.IsTerminal(stdin) {
		return 0, usagef("agent-hooks help", "%s is started by run only", superviseName)
	}
	return spec.ExitContinue, untilSignal(func(ctx context.Context) error {
		return agenthooks.Supervise(ctx, stdin, env.runOptions(nil))
	})
}

// runAgent is `agent-hooks run --agent NAME [EVENT]` (D42). Only an invalid call is an error, with
// exit status 1.
func (env *Env) runAgent(flags runFlags, args []string) (int, error) {
	a, event := agent.Find(flags.agent), strings.Join(args, "")
	if a == nil {
		return 0, unknownAgent("run", flags.agent, "--agent %s")
	}
	if event != "" && a.Event(event) == nil { // the format's name
		name, err := flags.runEvent(args)
		if err != nil {
			return 0, err
		}
		event = string(name)
	}
	if term.IsTerminal(env.Stdin) {
		return 0, usagef("agent-hooks run --agent "+a.Name+" < payload.json", "run reads the agent's payload as JSON from stdin, which is a terminal")
	}
	ctx, cancel, until := flags.context(context.Background())
	defer cancel()
	r := &serve.Run{
		IgnoreAsk: flags.ask == "ignore", IgnoreModify: flags.modify == "ignore", Options: func() agenthooks.RunOptions { return flags.options(until) },
		Getenv: env.Getenv, Managed: flags.managed, Execute: env.runner(ctx),
		Load: func(name string, event *protocol.Event, whole func(root, state string) bool) *agenthooks.Hooks {
			return flags.load(env, name, event, until, whole)
		},
	}
	var payload atomic.Pointer[[]byte]
	end := endLate(flags.deadline, func() int {
		late := &serve.Run{}
		return env.writeNative(late.Late(a, event, payload.Load()), late.Warnings)
	})
	defer end.ended()
	env.enter()
	read := func() ([]byte, error) {
		raw, extra, err := readEvent(ctx, env.Stdin, spec.StallTimeout)
		payload.Store(&raw)
		if err == nil && raw == nil {
			err = errors.New("stdin is empty, but the agent sends a payload")
		}
		if extra {
			r.Warnings = append(r.Warnings, "more data follows the payload on stdin; it is ignored")
		}
		return raw, err
	}
	if flags.dryRun {
		payload, err := read()
		if err == nil {
			err = r.Decode(a, event, payload)
		}
		if err != nil {
			return 0, fmt.Errorf("run: %w", err)
		}
		n := 0
		if plan := r.Plan(); plan != nil {
			n = len(plan.Rows)
			env.warnAll(append(r.Warnings, plan.Warnings...))
		}
		return spec.ExitContinue, env.print("agent-hooks: " + term.Plural(n, "hook") + "\n")
	}
	r.Answer(a, event, read)
	return env.answerAgent(flags, r, r.Encode(), end), nil
}

// answerAgent writes the native answer, logs the runs and returns the exit status (D44, D45).
func (env *Env) answerAgent(flags runFlags, r *serve.Run, out agent.Output, end *ending) int {
	if flags.report != "" && len(r.Reports) > 0 {
		if err := env.writeReport(flags.report, r.Reports[0]); err != nil {
			r.Warnings = append(r.Warnings, err.Error())
		}
		if flags.report == "-" {
			out.Stdout = nil
		}
	}
	status := end.answer(r.Reports, func() int { return env.writeNative(out, r.Warnings) })
	for _, w := range r.Log() {
		if status != spec.ExitBlock { // then stderr is the reason only
			env.warn("%s", w)
		}
	}
	return status
}

// writeNative writes a native answer and returns its exit status. If the status makes the agent
// read stderr, it contains only the reason; otherwise the warnings.
func (env *Env) writeNative(out agent.Output, warnings []string) int {
	if out.Status == spec.ExitBlock {
		env.printReason(out.Stderr)
		return spec.ExitBlock
	}
	env.warnAll(warnings)
	if len(out.Stdout) == 0 {
		return spec.ExitContinue
	}
	if _, err := env.Stdout.Write(out.Stdout); err != nil && out.Blocked {
		env.warn("%s", out.Reason)
		return spec.ExitBlock // the only remaining form of a block
	}
	return spec.ExitContinue
}
