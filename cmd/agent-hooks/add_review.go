package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/cases"
	"github.com/agent-hooks/agent-hooks/internal/author/past"
	"github.com/agent-hooks/agent-hooks/internal/pack"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

// settle shows the offers, prompts for each, and installs what the user agreed to.
func (job *packJob) settle() (int, error) {
	pending := slices.DeleteFunc(slices.Clone(job.offers), func(o *offer) bool { return o.silent })
	ask := !job.yes && !job.dryRun && job.env.interactive()
	if len(pending) > 0 {
		job.showPacks(pending)
		if ask || job.dryRun {
			if err := job.showPast(pending); err != nil {
				return 0, err
			}
		}
	}
	accepted := map[*packPlace][]*offer{}
	current, declined, unasked := 0, 0, false
	for _, o := range job.offers {
		if o.silent {
			current++
			accepted[o.at] = append(accepted[o.at], o)
			continue
		}
		agreed, err := job.ask(o, ask)
		switch {
		case err != nil:
			return 0, err
		case o.Refused != "": // and reported
		case job.dryRun:
		case !job.yes && !ask:
			unasked = true
		case !agreed:
			declined++
		default:
			accepted[o.at] = append(accepted[o.at], o)
		}
	}
	if job.dryRun {
		return exitStatus(job.kept > 0), nil
	}
	if unasked {
		return 0, errors.New("stdin and stdout are not a terminal, so nobody can be asked; nothing was installed (--yes installs without asking)")
	}
	return job.finish(accepted, current, declined)
}

// finish installs the accepted hooks and prints the summary.
func (job *packJob) finish(accepted map[*packPlace][]*offer, current, declined int) (int, error) {
	installed := 0
	for _, scope := range []discovery.Scope{discovery.UserScope, discovery.ProjectScope} {
		at := job.places[scope]
		if len(accepted[at]) == 0 {
			continue
		}
		if !slices.ContainsFunc(accepted[at], (*offer).changes) {
			continue
		}
		if err := job.install(at, accepted[at]); err != nil {
			return 0, fmt.Errorf("%s: %w", job.command, err)
		}
		installed += len(accepted[at])
	}
	summary := fmt.Sprintf("%s installed; %d up to date, %d declined, %d kept or refused", term.Plural(max(0, installed-current), "hook"), current, declined, job.kept)
	job.env.line("%s", summary)
	if installed > current {
		if len(accepted[job.places[discovery.ProjectScope]]) > 0 {
			job.env.note("commit %s and %s; others review the hooks with agent-hooks trust", job.env.relative(job.places[discovery.ProjectScope].Hooks), pack.LockName)
		}
		if !job.env.called() {
			job.env.note("no agent calls these hooks yet: agent-hooks install AGENT")
		}
	}
	return exitStatus(declined+job.kept > 0), nil
}

// changes reports whether the hook or its entry in the lock changes.
func (o *offer) changes() bool {
	locked, is := o.at.lock.Hooks[o.change.Name]
	return !o.silent || !is || !locked.Equal(o.change.Entry)
}

// showPacks prints where the offers come from.
func (job *packJob) showPacks(offers []*offer) {
	var shown []*pack.Pack
	for _, o := range offers {
		p := o.pack
		if slices.Contains(shown, p) {
			continue
		}
		shown = append(shown, p)
		if p.Name != "" {
			job.env.line("%s", strings.TrimSuffix("pack "+p.Name+": "+p.Description, ": "))
		}
		job.env.line("from %s", p.Entry(o.Folder).Describe())
		job.env.line("into %s", job.env.short(o.at.Hooks))
	}
}

// ask shows one offer, and prompts if ask is set. It reports whether the user agreed, and the hook
// passed its test cases or the user agreed again.
func (job *packJob) ask(o *offer, ask bool) (agreed bool, err error) {
	env := job.env
	if o.Refused != "" {
		job.keep("hook %s: refused: %s", o.Name, o.Refused)
		return false, nil
	}
	text := env.showReview(o.Candidate)
	tried, failed := false, ""
	if o.Hook.Answer != nil {
		var report string
		report, failed, tried = job.runCases(o.Folder, false)
		text += env.paragraph(env.Stdout, 4, "  "+report)
	}
	whole, err := env.page(text, ask)
	if err != nil || job.dryRun {
		return false, err
	}
	if ask && (!whole || !env.yes("install this hook? [y/N] ")) {
		return false, nil
	}
	if !ask && !job.yes {
		return false, nil
	}
	if !tried {
		var report string
		report, failed, _ = job.runCases(o.Folder, true)
		env.line("%s: %s", o.Name, report)
	}
	switch {
	case failed == "":
		return true, nil
	case !ask:
		job.keep("hook %s: not installed, because it does not pass its own test cases here", o.Name)
		o.Refused = failedCases
		return false, nil
	case tried:
		return true, nil // the question was asked below the result
	}
	return env.yes("install it nevertheless? [y/N] "), nil
}

// failedCases is the cause if a hook is refused after the review.
const failedCases = "it does not pass its own test cases"

// runCases runs a hook's test cases in a temporary copy. Without all, nothing of the pack may be
// executed: cases that run commands of their own are not run then.
func (job *packJob) runCases(folder *trust.Folder, all bool) (report, failed string, ran bool) {
	dir, err := os.MkdirTemp("", "agent-hooks-")
	if err != nil {
		return "its test cases did not run: " + err.Error(), "error", false
	}
	defer trust.Discard(dir)
	hooks := filepath.Join(dir, ".agents", "hooks")
	if err := errors.Join(os.MkdirAll(hooks, 0o700), folder.Write(hooks)); err != nil {
		return "its test cases did not run: " + err.Error(), "error", false
	}
	list, problems := cases.Read(discovery.ReadHook(filepath.Join(hooks, folder.Name), discovery.ProjectScope))
	switch {
	case len(problems) > 0:
		return "its test cases cannot be read: " + strings.ReplaceAll(problems[0].String(), hooks+string(filepath.Separator), ""), "error", true
	case len(list) == 0:
		return "it has no test cases", "", true
	case !all && slices.ContainsFunc(list, (*cases.Case).RunsCommands):
		return "its test cases run commands: not before you agree", "", false
	}
	var bad []string
	err = untilSignalOnly(func(ctx context.Context) error {
		for r := range cases.RunAll(ctx, list, job.env.Environ, runtime.GOMAXPROCS(0)) {
			if r.Status != cases.Passed {
				bad = append(bad, r.Case.Name+failure(r))
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return "its test cases were stopped", "error", true
	}
	if len(bad) > 0 {
		return fmt.Sprintf("%d of its %d test cases failed: %s", len(bad), len(list), strings.Join(bad, "; ")), "failed", true
	}
	return "its " + term.Plural(len(list), "test case") + " passed", "", true
}

// failure describes in a few words why a case did not pass.
func failure(r *cases.Result) string {
	switch {
	case len(r.Mismatches) > 0:
		m := r.Mismatches[0]
		return fmt.Sprintf(" (%s: %s instead of %s)", m.What, m.Got, m.Expected)
	case r.Problem != "":
		return " (" + r.Problem + ")"
	case len(r.Case.Diagnostics) > 0:
		return " (" + r.Case.Diagnostics[0].Message + ")"
	}
	return ""
}

// pastDays is how far back the effect of new hooks is shown.
const pastDays = "30d"

// showPast prints the effect that the constant answers among the offers would have had on the
// calls in the agents' transcripts. Scripts do not run before the user has agreed.
func (job *packJob) showPast(offers []*offer) error {
	dir, err := os.MkdirTemp("", "agent-hooks-")
	if err != nil {
		return err
	}
	defer trust.Discard(dir)
	staged := 0
	for _, o := range offers {
		if o.Refused != "" || o.Hook.Answer == nil || o.Hook.Trigger != spec.PreToolCall {
			continue
		}
		if err := o.Folder.Write(dir); err != nil {
			return err
		}
		staged++
	}
	if staged == 0 {
		return nil
	}
	flags := replayFlags{pastFlags: pastFlags{all: true, since: pastDays, with: dir}}
	o, err := flags.pastOptions(job.env, nil)
	if err != nil {
		return err
	}
	line := statusLine{env: job.env, out: job.env.Stderr}
	o.Every = job.env.progressEvery()
	o.Tick = func(p past.Progress) { line.show(pastProgress(p)) }
	var s *past.Summary
	err = untilSignalOnly(func(ctx context.Context) (err error) {
		s, err = past.Run(ctx, o)
		return cmp.Or(err, ctx.Err())
	})
	line.erase()
	if err != nil || s.Calls == 0 {
		return err
	}
	if err := job.env.out(2, "\npast 30 days: "+pastTotals(s)); err != nil {
		return err
	}
	return job.env.printCompare(s.Compare)
}
