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
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/pack"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

// settle shows the changes, prompts for each, and makes those to which the user agreed.
func (job *packJob) settle() (int, error) {
	env, prompt := job.env, !job.yes && !job.dryRun && job.env.interactive()
	var agreed, pending, declined []*pack.Change
	var packs []*pack.Pack
	for _, c := range job.changes {
		if c.Current {
			agreed = append(agreed, c)
			continue
		}
		pending = append(pending, c)
		if c.Pack == nil || slices.Contains(packs, c.Pack) {
			continue
		}
		packs = append(packs, c.Pack)
		if c.Pack.Name != "" {
			env.line("%s", strings.TrimSuffix("pack "+c.Pack.Name+": "+c.Pack.Description, ": "))
		}
		env.line("from %s", c.Pack.Describe())
		env.line("into %s", env.short(c.Place.Hooks))
	}
	current := len(agreed)
	if prompt || job.dryRun {
		if err := job.showPast(pending); err != nil {
			return 0, err
		}
	}
	removed := 0
	for _, c := range pending {
		before := job.declined
		yes, err := job.ask(c, prompt)
		switch {
		case err != nil:
			return 0, err
		case yes && c.Pack == nil:
			removed++
			fallthrough
		case yes:
			agreed = append(agreed, c)
		case job.declined > before && c.Was == "":
			declined = append(declined, c)
		}
	}
	switch {
	case job.dryRun:
		return exitStatus(job.kept > 0 || job.command == "update" && len(pending) > 0), nil
	case job.unasked:
		return 0, errors.New("stdin and stdout are not a terminal, so nobody can be asked; nothing was installed (--yes installs without asking)")
	}
	for _, f := range job.follow {
		f.Follow(agreed, declined)
	}
	if err := job.apply(agreed); err != nil {
		return 0, err
	}
	installed, also := len(agreed)-current-removed, ""
	if removed > 0 {
		also = fmt.Sprintf(", %d removed", removed)
	}
	env.line("%s installed%s; %d up to date, %d declined, %d kept or refused", term.Plural(installed, "hook"), also, current, job.declined, job.kept)
	if at := job.places[len(job.places)-1]; at.Scope == discovery.ProjectScope && slices.ContainsFunc(agreed, func(c *pack.Change) bool { return c.Place == at && !c.Current }) {
		env.note("commit %s and %s; others review the hooks with agent-hooks trust", env.relative(at.Hooks), pack.LockName)
	}
	if job.chosen == string(discovery.ManagedScope) {
		env.note("agent-hooks doctor --managed shows which agents run managed hooks (agent-hooks install --managed --all)")
	} else if installed > 0 && !env.called() {
		env.note("no agent calls these hooks yet: agent-hooks install AGENT")
	}
	return exitStatus(job.declined+job.kept > 0), nil
}

// ask shows one hook, and prompts if prompt is set. It reports whether the user agreed, again if
// the hook fails its test cases after the review.
func (job *packJob) ask(c *pack.Change, prompt bool) (agreed bool, err error) {
	env := job.env
	agrees := func(question string) bool {
		yes := env.yes(question)
		if !yes {
			job.declined++
		}
		return yes
	}
	text, report, failed, tried, question := "", "", false, true, "install this hook? [y/N] "
	switch {
	case c.Pack == nil:
		env.line("hook %s: dropped: %s", c.Name, c.Detail)
		question = "remove this hook? [y/N] "
	case c.Refused != "":
		job.keep("hook %s: refused: %s", c.Name, c.Refused)
		return false, nil
	case c.News == pack.SameContent:
		text, question = env.showReview(c.Candidate), "make this change? [y/N] "
	case c.Hook.Answer != nil:
		report, failed, tried = job.runCases(c.Folder, false)
		text = env.showReview(c.Candidate) + env.paragraph(env.Stdout, 4, "  "+report)
	default:
		text, tried = env.showReview(c.Candidate), false
	}
	if text != "" {
		whole, err := env.page(text, prompt)
		if err != nil {
			return false, err
		}
		if !whole {
			job.declined++
			return false, nil
		}
	}
	switch {
	case job.dryRun:
		return false, nil
	case !prompt && !job.yes:
		job.unasked = true
		return false, nil
	case prompt && !agrees(question):
		return false, nil
	case prompt && tried:
		return true, nil // the question was asked below the result
	case !tried:
		report, failed, _ = job.runCases(c.Folder, true)
		env.line("%s: %s", c.Name, report)
	}
	switch {
	case !failed:
		return true, nil
	case prompt:
		return agrees("install it nevertheless? [y/N] "), nil
	}
	job.keep("hook %s: not installed, because it does not pass its own test cases here", c.Name)
	return false, nil
}

// runCases runs a hook's test cases in a temporary copy. Without all, nothing of the pack may be
// executed: cases that run commands of their own are not run then.
func (job *packJob) runCases(folder *trust.Folder, all bool) (report string, failed, ran bool) {
	dir, err := trust.Scratch("")
	if err != nil {
		return "its test cases did not run: " + err.Error(), true, false
	}
	defer state.Discard(dir)
	hooks := filepath.Join(dir, ".agents", "hooks")
	if err := errors.Join(os.MkdirAll(hooks, 0o700), folder.Write(hooks)); err != nil {
		return "its test cases did not run: " + err.Error(), true, false
	}
	list, problems := cases.Read(discovery.ReadHook(filepath.Join(hooks, folder.Name), discovery.ProjectScope))
	switch {
	case len(problems) > 0:
		return "its test cases cannot be read: " + strings.ReplaceAll(problems[0].String(), hooks+string(filepath.Separator), ""), true, true
	case len(list) == 0:
		return "it has no test cases", false, true
	case !all && slices.ContainsFunc(list, (*cases.Case).RunsCommands):
		return "its test cases run commands: not before you agree", false, false
	}
	var bad []string
	err = untilSignalOnly(func(ctx context.Context) error {
		for r := range cases.RunAll(ctx, list, job.env.Environ, runtime.GOMAXPROCS(0)) {
			if r.Status != cases.Passed {
				bad = append(bad, r.Case.Name+" ("+failure(r)+")")
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return "its test cases were stopped", true, true
	}
	if len(bad) > 0 {
		return fmt.Sprintf("%d of its %d test cases failed: %s", len(bad), len(list), strings.Join(bad, "; ")), true, true
	}
	return "its " + term.Plural(len(list), "test case") + " passed", false, true
}

// failure describes in a few words why a case did not pass.
func failure(r *cases.Result) string {
	switch {
	case len(r.Mismatches) > 0:
		m := r.Mismatches[0]
		return fmt.Sprintf("%s: %s instead of %s", m.What, m.Got, m.Expected)
	case r.Problem != "":
		return r.Problem
	case len(r.Case.Diagnostics) > 0:
		return r.Case.Diagnostics[0].Message
	}
	return "it is " + string(r.Status)
}

// showPast prints the effect that the constant answers among the hooks would have had on the
// calls in the agents' transcripts. Scripts do not run before the user has agreed.
func (job *packJob) showPast(pending []*pack.Change) error {
	dir, err := trust.Scratch("")
	if err != nil {
		return err
	}
	defer state.Discard(dir)
	staged := 0
	for _, c := range pending {
		if c.Pack == nil || c.Refused != "" || c.Hook.Answer == nil || c.Hook.Trigger != spec.PreToolCall {
			continue
		}
		if err := c.Folder.Write(dir); err != nil {
			return err
		}
		staged++
	}
	if staged == 0 {
		return nil
	}
	o, err := lastDays(dir).options(job.env, nil)
	if err != nil {
		return err
	}
	var s *past.Summary
	err = untilSignalOnly(func(ctx context.Context) (err error) {
		s, err = job.env.runPast(ctx, o)
		return cmp.Or(err, ctx.Err())
	})
	if err != nil || s.Calls == 0 {
		return err
	}
	if err := job.env.out(2, "\npast 30 days: "+pastTotals(s)); err != nil {
		return err
	}
	return job.env.print(job.env.compared(s.Compare))
}

// check is `agent-hooks update --check`: it compares the hooks with hooks.lock and, if the user wants
// that, hooks.lock with its sources and the project with an earlier commit.
func (job *packJob) check(locked []pack.Locked, flags updateFlags) (int, error) {
	if flags.online {
		for _, g := range pack.Commits(locked) {
			if err := job.fetch(g, func(ctx context.Context) error { return g.Verify(ctx, job.git()) }); err != nil {
				g.Differs(err)
			}
		}
	}
	isFine := func(l pack.Locked) bool { return l.State == pack.Same || l.State == pack.Stated }
	other := slices.DeleteFunc(slices.Clone(locked), isFine)
	var weaker []pack.Locked
	if flags.base.set {
		err := untilSignalOnly(func(ctx context.Context) error {
			base, err := job.git().Base(ctx, job.env.Dir, flags.base.ref)
			if err == nil {
				weaker, err = base.Weaker()
			}
			return err
		})
		switch {
		case errors.Is(err, pack.ErrNoBase):
			job.env.note("there were no hooks at %s", flags.base.ref)
		case err != nil:
			return 0, err
		}
	}
	required := job.policy()
	weaker = append(weaker, required...)
	bad := slices.DeleteFunc(slices.Clone(weaker), isFine)
	status := exitStatus(len(other)+len(bad) > 0)
	report := job.env.lockReport(slices.Concat(locked, weaker))
	report.Text = func() error {
		for _, l := range slices.Concat(other, weaker) {
			job.env.line("%s", job.env.deviation(l))
		}
		job.env.line("%s as in hooks.lock, %d not", term.Plural(len(locked)-len(other), "hook"), len(other))
		if flags.base.set {
			job.env.line("%s weaker than at %s", term.Plural(len(bad)-len(required), "hook"), flags.base.ref)
		}
		if len(bad) > len(required) {
			job.env.note("if that is meant, say so at the end of a commit message: Hooks-changed: %s", bad[0].Name)
		}
		return nil
	}
	return status, flags.write(job.env, report)
}

// deviation describes a hook that is not as it should be.
func (env *Env) deviation(l pack.Locked) string {
	file := env.short(filepath.Join(filepath.Dir(l.Place.Hooks), config.Name))
	switch {
	case l.State == pack.Broken:
		return fmt.Sprintf("%s: %s: %s: %s", file, l.State, l.Name, l.Cause)
	case l.Name == config.Name:
		return fmt.Sprintf("%s: %s%s", file, l.State, because(l.Cause))
	case l.IsDirectory():
		return fmt.Sprintf("%s: %s%s", l.Name, l.State, because(l.Cause))
	}
	return fmt.Sprintf("hook %s: %s: %s%s", l.Name, l.State, env.short(filepath.Join(l.Place.Hooks, l.Name)), because(l.Cause))
}

// policy returns what is not as the project's and the administrator's policy requires.
func (job *packJob) policy() []pack.Locked {
	managed := &pack.Place{Scope: discovery.ManagedScope, Hooks: place.ManagedHooks()}
	return pack.Policy(append(slices.Clone(job.places), managed), buildVersion().Version, func() []*discovery.Hook { return suite.All(job.env.load(nil).Table) })
}
