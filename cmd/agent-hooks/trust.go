package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
	"golang.org/x/text/unicode/norm"
)

type trustFlags struct{ yes, list, remove, json, dryRun, everywhere, unshown bool }

func (f *trustFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.yes, "yes", false, "trust without asking; for scripts, if you have read the hooks")
	fs.BoolVar(&f.list, "list", false, "list the trusted hooks of every repository")
	fs.BoolVar(&f.remove, "remove", false, "stop trusting the project's hooks, or only those given")
	fs.BoolVar(&f.json, "json", false, "with --list: print JSON")
	fs.BoolVar(&f.everywhere, "everywhere", false, "trust the same content in every project; with --remove: end that")
	fs.BoolVar(&f.unshown, "unshown", false, "also trust hooks with binary files, which cannot be shown")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show what would be done, but do nothing")
}

// execute is `agent-hooks trust` (D40): the exit status is 1 if any hook remains untrusted.
func (flags trustFlags) execute(env *Env, args []string) (int, error) {
	switch {
	case flags.json && !flags.list:
		return 0, usagef("agent-hooks trust --list --json", "trust: --json requires --list")
	case flags.remove:
		return env.untrust(flags, args)
	case len(args) > 0:
		return 0, usagef("agent-hooks trust --remove HOOK, or agent-hooks trust --project DIR", "trust: unexpected argument %q", args[0])
	case flags.list:
		return env.listTrusted(flags.json)
	}
	options := env.options(nil)
	options.NoConfig = true
	hooks := agenthooks.Load(options)
	env.warnAll(hooks.Warnings)
	if hooks.Project.Hooks == "" {
		return 0, fmt.Errorf("trust: there is no .agents/hooks in %s or above it; agent-hooks new NAME --scope project writes a first hook", cmp.Or(env.project, env.short(hooks.Project.Root)))
	}
	return env.trust(hooks, flags)
}

// trust reads all files before it shows any, so that exactly the shown content is trusted.
func (env *Env) trust(hooks *agenthooks.Hooks, flags trustFlags) (int, error) {
	store, err := trust.Open(env.trustDir())
	if err != nil {
		return 0, err
	}
	root := hooks.Project.Root
	if err := store.Outside(root, env.home()); err != nil {
		return 0, err
	}
	history := store.History(root)
	if history.Damaged != nil {
		env.warn("the trust record cannot be read: %v; it is replaced if you trust a hook", history.Damaged)
	}
	reviews, err := env.candidates(hooks, history, flags)
	if err != nil {
		return 0, err
	}
	configured, err := trust.ConfigCandidate(hooks.Project.Hooks, history)
	if err != nil {
		return 0, err
	}
	file := config.ReadUnowned(hooks.Project.Hooks)
	if configured != nil && !flags.everywhere && (configured.News != trust.Fresh || !file.Blank()) {
		if err := file.Unusable(); err != nil {
			configured.Refused = err.Error()
		}
		reviews = append(reviews, configured)
	}
	env.out(2, "hooks in "+env.short(hooks.Project.Hooks))
	folders, err := env.review(reviews, flags)
	if err != nil || flags.dryRun {
		return spec.ExitContinue, err
	}
	refused, declined, already := 0, 0, 0
	for _, r := range reviews {
		switch {
		case r.Refused != "":
			refused++
		case r.Declined:
			declined++
		case r.News == trust.Unchanged && r.Name != trust.ConfigName:
			already++
		}
	}
	if len(folders) == 0 && declined > 0 {
		return 0, errors.New("nothing was trusted")
	}
	if len(folders) > 0 {
		if err := store.Add(root, flags.everywhere, folders, time.Now()); err != nil {
			return 0, err
		}
	}
	var names []string
	for _, f := range folders {
		names = append(names, term.Printable(f.Name))
	}
	summary := "trusted " + cmp.Or(strings.Join(names, ", "), "nothing new")
	if already > 0 {
		summary += fmt.Sprintf("; %s trusted already", term.Plural(already, "hook"))
	}
	if refused > 0 {
		summary += fmt.Sprintf("; %d refused", refused)
	}
	if declined > 0 {
		summary += fmt.Sprintf("; %d declined", declined)
	}
	fmt.Fprint(env.Stderr, env.paragraph(env.Stderr, 2, summary))
	return exitStatus(refused+declined > 0), nil
}

// candidates reads the project's hooks of every state, in byte order of their folders. All of them are
// in memory until they are trusted, so that their total is limited.
func (env *Env) candidates(hooks *agenthooks.Hooks, history *trust.History, flags trustFlags) (reviews []*trust.Candidate, err error) {
	total, all := 0, suite.All(hooks.Table)
	slices.SortFunc(all, func(a, b *discovery.Hook) int { return strings.Compare(a.Folder, b.Folder) })
	for _, h := range all {
		if h.Scope != discovery.ProjectScope {
			continue
		}
		r, err := trust.NewCandidate(h, history, flags.everywhere, flags.unshown, env.Getenv("PATH"))
		if err != nil {
			return nil, err
		}
		reviews = append(reviews, r)
		if r.Folder != nil {
			total += r.Folder.Size()
		}
		if total > trust.MaxTotal {
			return nil, fmt.Errorf("trust: the hooks up to %s contain more than %d MiB, which is the most that can be reviewed", term.Printable(r.Name), trust.MaxTotal>>20)
		}
	}
	return reviews, nil
}

// review shows each hook, and prompts for each that is not trusted. It returns the folders that
// the user trusts.
func (env *Env) review(reviews []*trust.Candidate, flags trustFlags) ([]*trust.Folder, error) {
	var folders []*trust.Folder
	unasked, where := false, map[bool]string{true: " in every project"}[flags.everywhere]
	if !flags.yes && !flags.dryRun && len(reviews) > 0 && env.interactive() {
		env.note("agent-hooks replay --all --since 30d --with DIR shows what hooks without a script would have done in your past sessions")
	}
	for _, r := range reviews {
		pending := r.Refused == "" && r.News != trust.Unchanged && !flags.dryRun
		ask := pending && !flags.yes && env.interactive()
		what := "this hook"
		if r.Name == trust.ConfigName {
			what = "this configuration of the project's hooks"
		}
		whole, err := env.page(env.showReview(r), ask)
		if err != nil {
			return nil, err
		}
		// A hook that was not shown completely is not trusted.
		r.Declined = ask && (!whole || !env.yes("trust "+what+where+"? [y/N] "))
		switch {
		case pending && !flags.yes && !ask:
			unasked = true
		case pending && !r.Declined:
			folders = append(folders, r.Folder)
		}
	}
	if unasked {
		return nil, errors.New("stdin and stdout are not a terminal, so nobody can be asked; nothing was trusted (--yes trusts without asking)")
	}
	return folders, nil
}

func (env *Env) listTrusted(asJSON bool) (int, error) {
	store, err := trust.Open(env.trustDir())
	if err != nil {
		return 0, err
	}
	rows, errs := store.List()
	for _, err := range errs {
		env.warn("%v", err)
	}
	status := exitStatus(len(errs) > 0)
	switch {
	case asJSON:
		return status, env.printJSON(rows)
	case len(rows) == 0:
		return status, env.print("nothing is trusted; agent-hooks trust, in a project, reviews its hooks\n")
	}
	t := term.Table{Titles: []string{"HOOK", "TRUSTED", "STATE", "REPOSITORY"}, LastWidth: 32}
	for _, r := range rows {
		place, state := env.homely(term.Printable(r.Repository)), "trusted"
		if r.Project != "." {
			place += " " + term.Printable(r.Project)
		}
		switch {
		case !r.Copy:
			state = "copy missing"
		case !r.Present:
			state = "gone from the project"
		case !r.Latest:
			state = "earlier version"
		}
		t.Rows = append(t.Rows, []string{term.Printable(r.Hook), r.TrustedAt.Local().Format("2006-01-02 15:04"), state, place})
	}
	// Content that no longer runs is dimmed, and a missing copy highlighted.
	t.Style = func(i, column int) string {
		switch r := rows[i]; {
		case r.Copy && !(r.Present && r.Latest):
			return term.Faint
		case column == 2 && !r.Copy:
			return term.Red
		case column == 2:
			return term.Green
		}
		return firstBold(i, column)
	}
	return status, env.printTable(t)
}

// untrust is `agent-hooks trust --remove [HOOK ...]` (D40), for a project that need not exist any
// more. The exit status is 1 if nothing was trusted, or if not all of the trust could be revoked.
func (env *Env) untrust(flags trustFlags, names []string) (int, error) {
	store, err := trust.Open(env.trustDir())
	if err != nil {
		return 0, err
	}
	var match func(string) bool
	if len(names) > 0 {
		match = func(name string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return norm.NFKC.String(n) == norm.NFKC.String(name) })
		}
	}
	trusted := store.TrustedEverywhere(match)
	if !flags.everywhere {
		start := cmp.Or(env.projectDir(), env.load(nil).Project.Start, env.Dir)
		trusted = store.Trusted(start, env.home(), match)
	}
	switch {
	case trusted.Empty() && len(names) > 0:
		return 0, fmt.Errorf("trust: hook %q is not trusted here (agent-hooks trust --list shows what is)", strings.Join(names, ", "))
	case trusted.Empty():
		return 0, fmt.Errorf("trust: nothing is trusted here (agent-hooks trust --list shows what is)")
	}
	for _, err := range trusted.Damaged {
		env.warn("%v; its whole content is removed", err)
	}
	what := "would no longer be trusted"
	if !flags.dryRun {
		what = "no longer trusted"
		if err := store.Revoke(trusted); err != nil {
			return 0, err
		}
	}
	versions := map[string]int{}
	for _, c := range trusted.Contents {
		versions[c.Name]++
	}
	for _, name := range slices.Sorted(maps.Keys(versions)) {
		text := what + ": hook " + term.Printable(name)
		if n := versions[name]; n > 1 {
			text += fmt.Sprintf(" (%d versions)", n)
		}
		if err := env.out(2, text); err != nil {
			return 0, err
		}
	}
	return spec.ExitContinue, nil
}

// noteReview prints a note about the project's hooks that agents do not run as they are, because
// the user has not reviewed them (D83). shows selects the hooks that the command shows, by their
// folders; nil means all.
func (env *Env) noteReview(shows func(folder string) bool) {
	options := env.options(nil)
	options.TrustProject = false
	pending := agenthooks.Load(options).Pending()
	if shows != nil {
		hidden := func(folder string) bool { return !shows(folder) }
		pending.Awaiting = slices.DeleteFunc(pending.Awaiting, hidden)
		pending.Changed = slices.DeleteFunc(pending.Changed, hidden)
	}
	message := pending.Message()
	if message == "" {
		return
	}
	var agents []string // whose entries run a project's hooks without a review
	system := env.system()
	for _, c := range install.All() {
		if slices.ContainsFunc(system.Target(c).AllInstalled(), func(e install.Entry) bool {
			return len(e.Words) > 1 && !slices.Contains(e.Words, "--require-trust")
		}) {
			agents = append(agents, c.Name)
		}
	}
	if len(agents) > 0 {
		message += "; entries without --require-trust run them: " + strings.Join(agents, ", ")
	}
	env.note("in agents, %s", message)
}
