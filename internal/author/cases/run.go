package cases

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/author/explain"
	"github.com/agent-hooks/agent-hooks/internal/author/trial"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Status is the outcome of a case.
type Status string

// The statuses. All but Passed are failures.
const (
	Passed  Status = "pass"
	Failed  Status = "fail"    // the result differs from the expectation
	Broken  Status = "broken"  // the case itself is invalid, or could not be set up
	Stopped Status = "stopped" // it did not finish
)

// Result is the result of one run of a case.
type Result struct {
	Case       *Case
	Status     Status
	Mismatches []Mismatch // of a failed case
	Problem    string     // of a broken case, if not in its Diagnostics

	// Hook is the hook's report, with shortened output; nil if it did not run on the event.
	Hook     *agenthooks.HookReport
	Warnings []string      // single lines
	Duration time.Duration // of the whole case

	saw     answers        // of the hook, in the terms of an expectation
	because string         // the reason if the hook did not run
	scratch *trial.Scratch // where it ran; already removed
}

// Decision returns the decision in the hook's answer: deny, ask, allow or none; "" if it did
// not run.
func (r *Result) Decision() string { return r.saw.string("decision") }

// Reason returns the reason with which the hook blocked or asked; "" if it did
// neither.
func (r *Result) Reason() string {
	if r.Hook == nil || !r.saw.is("decision", "deny", "ask") {
		return ""
	}
	return r.Hook.Answer.Reason
}

// maxShown is the maximum output of each stream in a Result, in bytes.
const maxShown = 64 << 10

// Run runs the case. The environment is environ, as KEY=value; variables that point to the
// user's files are changed to point into the scratch directory. When ctx ends, the hook is
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
		return fmt.Errorf("create a scratch directory: %w", err)
	}
	defer func() {
		if err := s.Remove(); err != nil {
			r.Warnings = append(r.Warnings, fmt.Sprintf("the scratch directory was not removed: %v", err))
		}
	}()
	p := &play{Case: c, scratch: s, placeholders: []string{workDir, s.Work, homeDir, s.Home}}
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
	r.Hook = shortened(r.Hook)
	return nil
}

// play is one run of a case in its scratch directory.
type play struct {
	*Case
	scratch      *trial.Scratch
	placeholders []string // placeholders and their values
	environ      []string
}

// environment adds the case's variables.
func (p *play) environment(environ []string) []string {
	environ = without(environ, "GIT_CEILING_DIRECTORIES")
	// Do not use a repository that happens to contain the scratch directory.
	environ = append(environ, "GIT_CEILING_DIRECTORIES="+filepath.Dir(p.scratch.Work))
	replacer := strings.NewReplacer(p.placeholders...)
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

// prepare copies and writes the files, and runs the setup.
func (p *play) prepare(ctx context.Context) error {
	if len(p.stage.copied) > 0 {
		if err := p.copy(); err != nil {
			return fmt.Errorf("copy: %w", err)
		}
	}
	replacer := strings.NewReplacer(p.placeholders...)
	for _, f := range p.stage.files {
		path := filepath.Join(p.scratch.Work, f.path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("files: %w", err)
		}
		mode := os.FileMode(0o644)
		if strings.HasPrefix(f.content, "#!") {
			mode = 0o755
		}
		if err := writeExecutable(func() error { return os.WriteFile(path, []byte(replacer.Replace(f.content)), mode) }); err != nil {
			return fmt.Errorf("files: %w", err)
		}
	}
	if p.stage.setup == "" {
		return nil
	}
	return p.setUp(ctx)
}

// writeExecutable calls write while no process starts. A process that starts inherits the open
// file, and a file that is open for writing cannot be executed (golang.org/issue/22315).
func writeExecutable(write func() error) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return write()
}

func (p *play) setUp(ctx context.Context) error {
	sh, err := osexec.LookPath("sh")
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	result := exec.Run(ctx, exec.Command{
		Path: sh, Args: []string{"sh", "-e", "-c", p.stage.setup}, Dir: p.scratch.Work,
		Env: append(without(p.environ, "PWD"), "PWD="+p.scratch.Work), Timeout: spec.DefaultTimeout, MaxStdout: maxShown, MaxStderr: maxShown,
	})
	output := strings.TrimSpace(strings.ToValidUTF8(string(result.Stdout.Data)+string(result.Stderr.Data), "�"))
	switch {
	case result.Err != nil:
		return fmt.Errorf("setup: %w", result.Err)
	case result.TimedOut:
		err = fmt.Errorf("setup: not finished after %v", spec.DefaultTimeout)
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
	event, options, warnings := p.event.in(p.placeholders, p.scratch.Work, time.Now().UTC().Format(time.RFC3339))
	hook := *p.Hook
	if hook.State == discovery.Disabled || hook.State == discovery.Overridden {
		// Run the hook even if it is not active.
		hook.State, hook.Cause = discovery.Active, ""
	}
	var names []string
	for _, v := range p.stage.env {
		names = append(names, v.name)
	}
	got := trial.Run(ctx, p.scratch.Load(p.environ).WithVariables(names), &hook, event, options, nil)
	r.Warnings = append(r.Warnings, warnings...)
	r.Hook = got.Hook()
	if r.Hook == nil {
		r.because = explain.Because(got.Row)
		return
	}
	r.Warnings = append(r.Warnings, got.Report.Warnings...)
	h := r.Hook
	r.saw = answers{
		"decision":       stringValue(cmp.Or(string(h.Answer.Decision), noDecision)),
		"modified_input": answered(h.Answer.ModifiedInput), "updated_output": answered(h.Answer.UpdatedOutput),
	}
	if h.Status >= 0 {
		r.saw["exit"] = &tree.Node{Tag: tree.Float, Text: strconv.Itoa(h.Status)}
	}
	texts := map[string]string{"reason": h.Answer.Reason, "context": h.Answer.AdditionalContext, "message": h.Answer.SystemMessage}
	if h.Outcome == agenthooks.Failed || h.Outcome == agenthooks.TimedOut {
		texts["failure"] = h.Cause
	}
	for key, text := range texts {
		if text != "" {
			r.saw[key] = stringValue(text)
		}
	}
}

// answered parses a hook's answer, which is known to be JSON; nil if there is none.
func answered(raw []byte) *tree.Node {
	if raw == nil {
		return nil
	}
	return (&source{bytes: raw}).parseJSON()
}

// shortened returns the report with shortened output.
func shortened(h *agenthooks.HookReport) *agenthooks.HookReport {
	if h == nil {
		return nil
	}
	cut := *h
	head := func(output string) string { return strings.Clone(output[:min(len(output), maxShown)]) }
	cut.Stdout, cut.Stderr = head(h.Stdout), head(h.Stderr)
	cut.Dropped += int64(len(h.Stdout) - len(cut.Stdout) + len(h.Stderr) - len(cut.Stderr))
	return &cut
}

// RunAll runs the cases, at most workers at a time. It yields the results in the order of the
// cases, each as soon as possible. When ctx ends, unfinished cases are Stopped.
func RunAll(ctx context.Context, cases []*Case, environ []string, workers int) iter.Seq[*Result] {
	results := make([]chan *Result, len(cases))
	for i := range results {
		results[i] = make(chan *Result, 1)
	}
	slots := make(chan struct{}, max(workers, 1))
	go func() {
		for i, c := range cases {
			slots <- struct{}{}
			go func() {
				results[i] <- c.Run(ctx, environ)
				<-slots
			}()
		}
	}()
	return func(yield func(*Result) bool) {
		for _, result := range results {
			if !yield(<-result) {
				return
			}
		}
	}
}

// again runs a pure hook a second time in the same directory. If the results differ, the hook
// changes something or depends on more than its event, which is a mismatch.
func (p *play) again(ctx context.Context, r *Result) {
	if !p.Hook.Pure || p.Hook.Async || r.Status != Passed || r.Hook == nil {
		return
	}
	second := &Result{Case: p.Case}
	p.perform(ctx, second)
	for _, key := range append([]string{"decision"}, answerKeys[:]...) { // the decision first
		first, then := r.saw.get(key), second.saw.get(key)
		if same(first, then) || ctx.Err() != nil {
			continue
		}
		r.Status = Failed
		r.Mismatches = append(r.Mismatches, Mismatch{"pure", fmt.Sprintf("the same %s in a second run (metadata.pure: true)", key),
			fmt.Sprintf("first %s, then %s; remove `pure`, or let the hook change nothing", answerText(key, first), answerText(key, then))})
		return
	}
}
