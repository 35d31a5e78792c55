package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

type trustFlags struct{ yes, list, json, dryRun, everywhere, unshown bool }

func (f *trustFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.yes, "yes", false, "trust without asking; for scripts, if you have read the hooks")
	fs.BoolVar(&f.list, "list", false, "list the trusted hooks of every repository")
	fs.BoolVar(&f.json, "json", false, "with --list: print JSON")
	fs.BoolVar(&f.everywhere, "everywhere", false, "trust the same content in every project")
	fs.BoolVar(&f.unshown, "unshown", false, "also trust hooks with binary files, which cannot be shown")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show the hooks, but trust none")
}

// execute is `agent-hooks trust [DIR]` (D40): the exit status is 1 if any hook remains
// untrusted.
func (flags trustFlags) execute(env *Env, args []string) (int, error) {
	if flags.json && !flags.list {
		return 0, usagef("agent-hooks trust --list --json", "trust: --json requires --list")
	}
	if flags.list {
		if err := noArguments("trust --list", args); err != nil {
			return 0, err
		}
		return env.listTrusted(flags.json)
	}
	hooks, err := env.projectOf("trust", args)
	if err != nil {
		return 0, err
	}
	if hooks.Project.Hooks == "" {
		return 0, fmt.Errorf("trust: there is no .agents/hooks at %q or above it", hooks.Project.Root)
	}
	return env.trust(hooks, flags)
}

// projectOf loads the hooks of the project in DIR, or of the current one.
func (env *Env) projectOf(command string, args []string) (*agenthooks.Hooks, error) {
	options := env.options(projectFlags{}, nil)
	options.NoSettings = true
	switch len(args) {
	case 0:
	case 1:
		dir := env.absolute(args[0])
		if !place.IsFolder(dir) {
			return nil, fmt.Errorf("%s: %q is not a directory", command, args[0])
		}
		options.Project = dir
	}
	hooks := agenthooks.Load(options)
	env.warnAll(hooks.Warnings)
	if hooks.Project.Root == "" {
		return nil, fmt.Errorf("%s: there is no project", command)
	}
	return hooks, nil
}

// projectHooks returns the project's hooks of every state, in byte order of
// their folders.
func projectHooks(hooks *agenthooks.Hooks) []*discovery.Hook {
	var found []*discovery.Hook
	for _, rows := range hooks.Table {
		for _, h := range rows {
			if h.Scope == discovery.ProjectScope {
				found = append(found, h)
			}
		}
	}
	slices.SortFunc(found, func(a, b *discovery.Hook) int { return strings.Compare(a.Folder, b.Folder) })
	return found
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
	var reviews []*trust.Candidate
	for _, h := range projectHooks(hooks) {
		r, err := trust.NewCandidate(h, history, flags.everywhere, flags.unshown, env.Getenv("PATH"))
		if err != nil {
			return 0, err
		}
		reviews = append(reviews, r)
	}
	env.out(2, "hooks in "+term.Printable(hooks.Project.Hooks))
	folders, err := env.review(reviews, flags)
	if err != nil {
		return 0, err
	}
	return env.settleTrust(store, root, reviews, folders, flags)
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
		whole, err := env.page(env.showReview(r), ask)
		if err != nil {
			return nil, err
		}
		// A hook that was not shown completely is not trusted.
		r.Declined = ask && (!whole || !env.yes("trust this hook"+where+"? [y/N] "))
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

func (env *Env) settleTrust(store *trust.Store, root string, reviews []*trust.Candidate, folders []*trust.Folder, flags trustFlags) (int, error) {
	if flags.dryRun {
		return spec.ExitContinue, nil
	}
	refused, declined, already := 0, 0, 0
	for _, r := range reviews {
		switch {
		case r.Refused != "":
			refused++
		case r.Declined:
			declined++
		case r.News == trust.Unchanged:
			already++
		}
	}
	if len(folders) == 0 && declined > 0 {
		return 0, errors.New("nothing was trusted")
	}
	if len(folders) > 0 {
		written, _, err := store.Add(root, flags.everywhere, folders, time.Now())
		if err != nil {
			return 0, err
		}
		env.printChanged("wrote", written)
	}
	summary := fmt.Sprintf("trusted %s; %s trusted already, %d refused", term.Plural(len(folders), "hook"), term.Plural(already, "hook"), refused)
	if declined > 0 {
		summary += fmt.Sprintf(", %d declined", declined)
	}
	fmt.Fprint(env.Stderr, env.paragraph(env.Stderr, 2, summary))
	return exitStatus(refused+declined > 0), nil
}

// printChanged prints the changed files.
func (env *Env) printChanged(verb string, paths []string) {
	for _, path := range paths {
		fmt.Fprint(env.Stderr, env.paragraph(env.Stderr, 2, verb+" "+term.Printable(path)))
	}
}
