package cases

import (
	"cmp"
	"context"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/trial"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Status is what came of a case.
type Status string

// The statuses. All but Passed are failures.
const (
	Passed  Status = "pass"
	Failed  Status = "fail"    // something else came than was expected
	Broken  Status = "broken"  // the case itself is wrong, or could not be set up
	Stopped Status = "stopped" // it was not finished
)

// Result is what came of one run of a case.
type Result struct {
	Case       *Case
	Status     Status
	Mismatches []Mismatch // of a failed case
	Problem    string     // of a broken case that its Diagnostics say nothing about

	// Hook is the hook's report, its output cut to what is worth showing; nil
	// if it did not run on the event.
	Hook     *agenthooks.HookReport
	Warnings []string      // single lines
	Duration time.Duration // of the whole case

	saw     observation
	scratch *trial.Scratch  // where it ran; removed since
	subject matcher.Subject // what the matcher has seen of a tool event that it did not pass over
}

// Decision is what the hook's answer means: deny, ask, allow or none; "" if it
// did not run.
func (r *Result) Decision() string { return r.saw.decision }

// Answered reports whether the hook said anything at all.
func (r *Result) Answered() bool { return r.Hook != nil && !r.Hook.Answer.Empty() }

// mostShown bounds the output that a Result keeps, in bytes of each stream.
const mostShown = 64 << 10

// Run runs the case. The environment is environ, KEY=value, with what leads to
// the user's files leading into the scratch place. When ctx ends, the hook is
// stopped.
func (c *Case) Run(ctx context.Context, environ []string) *Result {
	began := time.Now()
	r := &Result{Case: c}
	if len(c.Diagnostics) > 0 {
		r.Status = Broken
		return r
	}
	if c.event.value == nil {
		r.Status, r.Problem = Broken, "the hook has no trigger that could be read, so there is no event"
		return r
	}
	if err := c.run(ctx, r, environ); err != nil {
		r.Status, r.Problem = Broken, err.Error()
	}
	if ctx.Err() != nil {
		r.Status = Stopped
	}
	r.Duration = time.Since(began)
	return r
}

func (c *Case) run(ctx context.Context, r *Result, environ []string) (err error) {
	s, err := trial.NewScratch()
	if err != nil {
		return fmt.Errorf("make a scratch place: %w", err)
	}
	defer func() {
		if err := s.Remove(); err != nil {
			r.Warnings = append(r.Warnings, fmt.Sprintf("the scratch place is left over: %v", err))
		}
	}()
	p := &play{Case: c, scratch: s, places: []string{workDir, s.Work, homeDir, s.Home}}
	p.environ = p.environment(s.Environ(environ))
	r.scratch = s
	if err := p.prepare(ctx); err != nil {
		return err
	}
	p.perform(ctx, r)
	if shims := trial.Shims(environ, r.Hook); shims != "" {
		r.Warnings = append(r.Warnings, shims)
	}
	p.compare(r)
	p.again(ctx, r)
	r.Hook = shown(r.Hook)
	return nil
}

// play is one run of a case in its scratch place.
type play struct {
	*Case
	scratch *trial.Scratch
	places  []string // placeholders and what they stand for
	environ []string
}

// environment adds the case's variables.
func (p *play) environment(environ []string) []string {
	environ = without(environ, "GIT_CEILING_DIRECTORIES")
	// A repository that the place happens to lie in is not the case's.
	environ = append(environ, "GIT_CEILING_DIRECTORIES="+filepath.Dir(p.scratch.Work))
	replacer := strings.NewReplacer(p.places...)
	for _, v := range p.stage.env {
		environ = without(environ, v.name)
		if !v.unset {
			environ = append(environ, v.name+"="+replacer.Replace(v.value))
		}
	}
	return environ
}

func without(environ []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		had, _, _ := strings.Cut(kv, "=")
		return had == name
	})
}

// prepare copies and writes the files and runs the setup.
func (p *play) prepare(ctx context.Context) error {
	if err := p.copy(); err != nil {
		return err
	}
	replacer := strings.NewReplacer(p.places...)
	for _, f := range p.stage.files {
		path := filepath.Join(p.scratch.Work, f.path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("files: %w", err)
		}
		mode := os.FileMode(0o644)
		if strings.HasPrefix(f.content, "#!") {
			mode = 0o755
		}
		if err := os.WriteFile(path, []byte(replacer.Replace(f.content)), mode); err != nil {
			return fmt.Errorf("files: %w", err)
		}
	}
	if p.stage.setup == "" {
		return nil
	}
	return p.setUp(ctx)
}

func (p *play) setUp(ctx context.Context) error {
	sh, err := osexec.LookPath("sh")
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	result := exec.Run(ctx, exec.Command{
		Path: sh, Args: []string{"sh", "-e", "-c", p.stage.setup}, Dir: p.scratch.Work,
		Env: append(without(p.environ, "PWD"), "PWD="+p.scratch.Work), Timeout: spec.DefaultTimeout, MaxStdout: mostShown, MaxStderr: mostShown,
	})
	output := strings.TrimSpace(strings.ToValidUTF8(string(result.Stdout.Data)+string(result.Stderr.Data), "�"))
	switch {
	case result.Err != nil:
		return fmt.Errorf("setup: %w", result.Err)
	case result.TimedOut:
		err = fmt.Errorf("setup: not done after %v", spec.DefaultTimeout)
	case result.Status != 0:
		err = fmt.Errorf("setup: exit status %d", result.Status)
	default:
		return nil
	}
	if output != "" {
		return fmt.Errorf("%w: %s", err, output)
	}
	return err
}

// perform runs the hook on the event.
func (p *play) perform(ctx context.Context, r *Result) {
	event, options, warnings := p.event.in(p.places, p.scratch.Work, time.Now().UTC().Format(time.RFC3339))
	hooks := trial.Load(p.environ)
	hooks.Project, hooks.Warnings = discovery.Project{Root: p.scratch.Work}, nil
	hook := *p.Hook
	if hook.State == discovery.Disabled || hook.State == discovery.Overridden {
		// Whether it takes part here is not the question.
		hook.State, hook.Cause = discovery.Active, ""
	}
	got := trial.RunWith(ctx, hooks, &hook, event, options)
	r.Warnings = append(r.Warnings, warnings...)
	if r.Hook = got.Hook(); r.Hook != nil {
		r.Warnings = append(r.Warnings, got.Report.Warnings...)
	}
	r.saw = observe(got, event.Type)
	if r.saw.fired && event.Type.IsTool() {
		r.subject = subjectOf(event)
	}
}

func subjectOf(event *protocol.Event) matcher.Subject {
	var s matcher.Subject
	s.Own, s.NamesUnknown = event.ToolNames()
	for _, name := range s.Own {
		s.Names = append(s.Names, spec.ToolNames(name)...)
	}
	in := event.Input()
	s.Values, s.Text, s.InputUnknown = in.Values, in.Text, in.Unknown
	return s
}

// observation is what came, in the words of an expectation.
type observation struct {
	fired    bool
	because  string // it did not fire
	exit     exitStatus
	decision string
	texts    map[string]string
	values   map[string]*value // nil: none
	took     time.Duration
}

func observe(got trial.Result, event spec.EventType) observation {
	h := got.Hook()
	if h == nil {
		return observation{because: passedOver(got.Row, event)}
	}
	saw := observation{fired: true, took: h.Duration, exit: exitStatus{max(h.Status, 0), h.Status < 0}, decision: cmp.Or(string(h.Answer.Decision), noDecision)}
	saw.texts = map[string]string{"reason": h.Answer.Reason, "context": h.Answer.AdditionalContext, "message": h.Answer.SystemMessage}
	if h.Outcome == agenthooks.Failed || h.Outcome == agenthooks.TimedOut {
		saw.texts["failure"] = h.Cause
	}
	saw.values = map[string]*value{"modified_input": answered(h.Answer.ModifiedInput), "updated_output": answered(h.Answer.UpdatedOutput)}
	return saw
}

// answered reads what a hook answered, which is known to be JSON; nil if it
// did not.
func answered(raw []byte) *value {
	if raw == nil {
		return nil
	}
	return (&source{bytes: raw}).parseJSON()
}

// passedOver says why the hook did not run on the event.
func passedOver(row *agenthooks.Row, event spec.EventType) string {
	switch hook := row.Hook; row.Failed {
	case agenthooks.Trigger:
		return fmt.Sprintf("its trigger is %s, the event is %s", hook.Trigger, event)
	case agenthooks.ToolMatch:
		return fmt.Sprintf("matcher.tool %q is not found in %s", hook.Tool, row.Saw)
	case agenthooks.InputMatch:
		return fmt.Sprintf("matcher.pattern %q is not found in %s", hook.Pattern, row.Saw)
	case agenthooks.WhenMatch:
		return "metadata.when is not found in " + row.Saw
	}
	return row.Saw
}

// shown is the report with its output cut.
func shown(h *agenthooks.HookReport) *agenthooks.HookReport {
	if h == nil {
		return nil
	}
	cut := *h
	cut.Stdout, cut.Stderr = head(h.Stdout), head(h.Stderr)
	cut.Dropped += int64(len(h.Stdout) - len(cut.Stdout) + len(h.Stderr) - len(cut.Stderr))
	return &cut
}

func head(output string) string {
	if len(output) <= mostShown {
		return output
	}
	return strings.Clone(output[:mostShown])
}
