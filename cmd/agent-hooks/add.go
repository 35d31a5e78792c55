package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	osexec "os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/explain"
	"github.com/agent-hooks/agent-hooks/internal/author/scaffold"
	"github.com/agent-hooks/agent-hooks/internal/pack"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

const addAbout = `SOURCE is a folder or a git repository: a URL that begins with https://, ssh:// or file://, or HOST:PATH as ssh has it, or the path of a bare one. Its hooks are the folders with a HOOK.md in --dir, otherwise in the directory that its pack.toml names, otherwise in .agents/hooks or in its root. Without HOOK, all of them are offered.
Every file is shown, and exactly what was shown is installed; a project's hook is then reviewed, as with agent-hooks trust. Before the question, constant answers run on the calls of your past 30 days and on their own test cases. Scripts run on their test cases only after you agree.
hooks.lock, next to the directory of hooks, names the source, the commit and the content of each hook. A hook that is not in it is never replaced. With --all, the source is followed: update also offers its new hooks, and the removal of those that it dropped, except what you declined or removed.
`

const updateAbout = `Shows what changed in the sources of your hooks and of the project's, and asks. Without --ref, a hook stays on its branch, tag or commit; --ref with an older tag or commit rolls back. A hook that you edited is kept, and named. The exit status is 1 if a hook is kept back or declined, and with --dry-run if one is outdated. In a project, --yes updates only your own hooks, unless --scope project is given.
--check reads only the hooks and hooks.lock: the exit status is 1 if a hook differs from it or is missing. With --json, it prints one object for each hook: hook, scope, state (unchanged, edited, missing, unreadable, not as at its source, weaker, changed as stated), its source, and the cause.
--check --online also fetches the commits that hooks.lock names: a hook's files are those of its commit, a tag still names that commit, and a branch contains it. --check --base REF fails if a hook, a test case or an entry of hooks.lock is gone or weaker than at REF, and no commit message since says so with a trailer such as "Hooks-changed: NAME".
`

// offerFlags are the flags of the commands that offer hooks of packs.
type offerFlags struct {
	scopeFlag
	ref                  string
	yes, dryRun, unshown bool
}

func (f *offerFlags) declare(fs *flag.FlagSet, scope string) {
	f.scopeFlag.declare(fs, scope, string(discovery.ManagedScope))
	fs.StringVar(&f.ref, "ref", "", "the branch, the tag or the whole commit `REF`; default: the repository's HEAD, or what hooks.lock names")
	fs.BoolVar(&f.yes, "yes", false, "install without asking; for scripts, if you have read the hooks")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show the hooks, but install none")
	fs.BoolVar(&f.unshown, "unshown", false, "also offer hooks with binary files, which cannot be shown")
}

type addFlags struct {
	offerFlags
	dir string
	all bool
}

func (f *addFlags) declare(fs *flag.FlagSet) {
	f.offerFlags.declare(fs, "install `user|project|managed` hooks: yours (the default), the current project's or, as root, for every user")
	fs.StringVar(&f.dir, "dir", "", "find the hooks in `DIR` of the source")
	fs.BoolVar(&f.all, "all", false, "follow the source: update also offers its new hooks, and removes those that it drops")
}

// execute is `agent-hooks add SOURCE [HOOK ...]` (D81).
func (flags addFlags) execute(env *Env, args []string) (int, error) {
	if len(args) == 0 {
		return 0, usagef("agent-hooks add https://HOST/PATH", "add: no SOURCE given")
	}
	if flags.all && len(args) > 1 {
		return 0, usagef("agent-hooks add --all "+shellWord(args[0]), "add: --all is for all hooks of a source")
	}
	source, err := pack.ParseSource(args[0], env.Dir)
	if err != nil {
		return 0, usagef("agent-hooks help add", "add: %v", err)
	}
	flags.chosen = cmp.Or(flags.chosen, string(discovery.UserScope))
	if flags.chosen == string(discovery.UserScope) {
		if err := env.ownPlaces(); err != nil {
			return 0, fmt.Errorf("add: %w", err)
		}
	}
	job, err := env.packJob("add", flags.offerFlags)
	if err != nil {
		return 0, err
	}
	err = job.read(source.Bare(), flags.ref, flags.dir, func(_ context.Context, p *pack.Pack) error {
		names := args[1:]
		if flags.all {
			job.follow = append(job.follow, &pack.Group{Origin: pack.Origin{Place: job.places[0], Dir: path.Dir(p.Folder(p.Hooks[0]))}, Pack: p})
		}
		if len(names) == 0 {
			names = p.Hooks
		}
		for _, name := range names {
			if !slices.Contains(p.Hooks, name) {
				return usagef(shown.Hint("its hooks are "+strings.Join(p.Hooks, ", "), "%s", name, p.Hooks), "the source has no hook %q", name)
			}
		}
		return job.plan(job.places[0], p, names)
	})
	if err != nil {
		return 0, fmt.Errorf("add: %w", err)
	}
	return job.settle()
}

type updateFlags struct {
	offerFlags
	formatFlag
	check, online bool
	base          baseFlag
}

func (f *updateFlags) declare(fs *flag.FlagSet) {
	f.offerFlags.declare(fs, "only `user|project|managed` hooks; default: yours and the current project's")
	fs.BoolVar(&f.check, "check", false, "only compare the hooks with hooks.lock, offline")
	fs.BoolVar(&f.online, "online", false, "with --check, compare hooks.lock with the commits at its sources, too")
	fs.Var(&f.base, "base", "with --check, compare the project's hooks with those at the commit `REF` of its repository, too")
	f.formatFlag.declare(fs)
}

// baseFlag is a commit. An empty one is an error: a variable that is not set must not turn the comparison
// off (D136).
type baseFlag struct {
	ref string
	set bool
}

func (b *baseFlag) String() string { return b.ref }

func (b *baseFlag) Set(ref string) error {
	if strings.TrimSpace(ref) == "" {
		return errors.New("it is empty, so nothing would be compared; leave --base out if there is no earlier commit")
	}
	b.ref, b.set = ref, true
	return nil
}

// execute is `agent-hooks update [HOOK ...]` (D81).
func (flags updateFlags) execute(env *Env, args []string) (int, error) {
	if flags.check && (flags.ref != "" || flags.yes || flags.dryRun) {
		return 0, usagef("agent-hooks update --check", "update: --check changes nothing")
	}
	if (flags.format != "" || flags.online || flags.base.set) && !flags.check {
		return 0, usagef("agent-hooks update --check --json", "update: --format, --json, --online and --base are for --check")
	}
	job, err := env.packJob("update", flags.offerFlags)
	if err != nil {
		return 0, err
	}
	locked, err := job.locked(args)
	switch {
	case err != nil:
		return 0, err
	case flags.check:
		return job.check(locked, flags)
	case len(locked) == 0:
		return spec.ExitContinue, env.print("no hook is from a pack; agent-hooks add SOURCE installs some\n")
	}
	if flags.yes && flags.chosen == "" {
		// --yes records a review of a project's hooks only if its scope is named (D103).
		all := len(locked)
		locked = slices.DeleteFunc(locked, func(l pack.Locked) bool { return l.Scope == discovery.ProjectScope })
		switch others := all - len(locked); {
		case others > 0 && len(args) > 0:
			return 0, usagef("agent-hooks update --yes --scope project", "update: --yes is only for your own hooks, unless --scope project is given")
		case others > 0:
			env.note("--yes left out %s of this project (agent-hooks update --scope project)", term.Plural(others, "hook"))
		}
		job.places = job.places[:1] // the user's
	}
	for _, g := range pack.Updates(job.places, locked, job.ref, len(args) == 0) {
		if err := job.fetch(g, func(ctx context.Context) error { return job.update(ctx, g) }); err != nil {
			job.keep("%s: %v", g, err)
		}
	}
	return job.settle()
}

type removeFlags struct{ scopeFlag }

func (f *removeFlags) declare(fs *flag.FlagSet) {
	f.scopeFlag.declare(fs, "only `user|project|managed` hooks; default: yours and the current project's", string(discovery.ManagedScope))
}

// execute is `agent-hooks remove HOOK ...` (D81).
func (flags removeFlags) execute(env *Env, args []string) (int, error) {
	if len(args) == 0 {
		return 0, usagef("agent-hooks remove HOOK", "remove: no HOOK given")
	}
	job, err := env.packJob("remove", offerFlags{scopeFlag: flags.scopeFlag})
	if err != nil {
		return 0, err
	}
	locked, err := job.locked(args)
	if err != nil {
		return 0, err
	}
	var changes []*pack.Change
	for i, l := range locked {
		if slices.ContainsFunc(locked[:i], func(o pack.Locked) bool { return o.Name == l.Name }) {
			return 0, usagef("agent-hooks remove --scope user "+shellWord(l.Name), "remove: both you and the project have hook %s from a pack", l.Name)
		}
		if c := l.Place.Remove(l.Name); !job.conflict(c) {
			changes = append(changes, c)
		}
	}
	return exitStatus(job.kept > 0), job.apply(changes)
}

// packJob is one call of add, update or remove.
type packJob struct {
	offerFlags
	env     *Env
	command string
	hooks   *agenthooks.Hooks
	places  []*pack.Place // the user's and the project's, unless one is chosen
	changes []*pack.Change
	follow  []*pack.Group // from now on

	kept, declined int  // hooks that are not as the user asked, and that the user declined
	unasked        bool // there is no terminal
}

// packJob opens the directories of hooks of the scopes.
func (env *Env) packJob(command string, flags offerFlags) (*packJob, error) {
	env.warnPlaces()
	options := env.options(nil)
	options.NoConfig = true
	job := &packJob{offerFlags: flags, env: env, command: command, hooks: agenthooks.Load(options)}
	scopes := []discovery.Scope{discovery.UserScope, discovery.ProjectScope}
	if job.chosen != "" {
		scopes = []discovery.Scope{discovery.Scope(job.chosen)}
	}
	for _, scope := range scopes {
		at := &pack.Place{Scope: scope, State: env.state(), Home: env.home()}
		var err error
		switch scope {
		case discovery.ManagedScope:
			at.Hooks = place.ManagedHooks()
		case discovery.UserScope:
			var warning string
			at.Hooks, warning = env.userHooks()
			if at.Hooks == "" {
				err = fmt.Errorf("there is no directory for your hooks: %s", cmp.Or(warning, "HOME is not set"))
			}
		default:
			at.Hooks = scaffold.ProjectHooks(job.hooks.Project.Root, job.hooks.Project.Hooks, at.Home, false)
			switch {
			case at.Hooks != "":
				at.Reviews, err = trust.Open(env.trustDir())
			case job.chosen == "":
				continue
			default:
				err = errors.New("there is no project here: no git repository and no .agents/hooks")
			}
		}
		if err == nil {
			err = at.Open()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", command, err)
		}
		job.places = append(job.places, at)
	}
	return job, nil
}

// git returns how to fetch, without what leads into the project: git would read a repository's files
// there as the user's, and start its programs.
func (job *packJob) git() pack.Git {
	git := pack.Git{Environ: job.env.options(nil).Outside(), Timeout: pack.Timeout, Max: pack.MaxFetched}
	if program, err := osexec.LookPath("git"); err == nil {
		git.Program = program
	}
	return git
}

// read fetches a pack and calls plan with it, unless a signal stops that. What was fetched is
// removed afterwards: prompts may end the program.
func (job *packJob) read(source pack.Source, ref, dir string, plan func(context.Context, *pack.Pack) error) error {
	line := statusLine{env: job.env, out: job.env.Stderr}
	if source.Git {
		line.show("fetching " + source.Text)
	}
	return untilSignalOnly(func(ctx context.Context) error {
		p, err := pack.Open(ctx, job.git(), source, ref, dir)
		line.erase()
		if err != nil {
			return err
		}
		defer p.Close()
		if len(p.Unknown) > 0 {
			job.env.warn("%s: pack.toml: unknown keys are ignored: %s", source.Text, strings.Join(p.Unknown, ", "))
		}
		return plan(ctx, p)
	})
}

// untilSignalOnly is untilSignal for one of several steps: a signal ends the program at once
// after it, such as at a prompt.
func untilSignalOnly(f func(context.Context) error) error {
	for _, sig := range endingSignals() {
		if !signal.Ignored(sig) {
			defer signal.Reset(sig)
		}
	}
	return untilSignal(f)
}

// plan plans to install hooks of a pack, and says why others are kept.
func (job *packJob) plan(at *pack.Place, p *pack.Pack, names []string) error {
	for _, name := range names {
		c, err := at.Install(p, name, pack.Review{Again: job.command == "add", Unshown: job.unshown, Path: job.env.Getenv("PATH")})
		if err != nil {
			return err
		}
		if job.conflict(c) {
			continue
		}
		in := scaffold.Place{Table: job.hooks.Table}
		if at.Scope == discovery.ProjectScope && in.Find(name, discovery.UserScope) != nil {
			c.Replaces = true
			if c.Was == "" && job.env.load(nil).Protected(name) {
				c.Refused = "your hooks.toml protects your own hook of this name"
			}
		}
		job.changes = append(job.changes, c)
	}
	return nil
}

// conflict reports whether a hook is kept, and says why.
func (job *packJob) conflict(c *pack.Change) bool {
	at := job.env.short(filepath.Join(c.Place.Hooks, c.Name))
	switch c.Conflict {
	case "":
		return false
	case pack.Gone:
		job.keep("hook %s: kept: it is no longer in %s (agent-hooks remove %s)", c.Name, c.Cause, c.Name)
	case pack.Foreign:
		job.keep("hook %s: kept: %s is not from a pack, and nothing is overwritten", c.Name, at)
	case pack.Edited:
		job.keep("hook %s: kept: it was edited since it was installed%s; move or remove %s, and run agent-hooks %s again", c.Name, because(c.Cause), at, job.command)
	default:
		job.keep("hook %s: kept: %s cannot be read%s", c.Name, at, because(c.Cause))
	}
	return true
}

func because(cause string) string {
	if cause == "" {
		return ""
	}
	return " (" + cause + ")"
}

// keep reports a hook that is not as the user asked.
func (job *packJob) keep(format string, args ...any) {
	job.kept++
	job.env.line(format, args...)
}

// locked returns the hooks in the locks with the names, or all of them.
func (job *packJob) locked(names []string) (found []pack.Locked, err error) {
	var all []string
	for _, at := range job.places {
		for _, l := range at.Locked() {
			all = append(all, l.Name)
			if len(names) == 0 || slices.Contains(names, l.Name) {
				found = append(found, l)
			}
		}
	}
	for _, name := range names {
		if !slices.Contains(all, name) {
			return nil, usagef(shown.Hint("agent-hooks list shows where hooks are from", "agent-hooks "+job.command+" %s", name, all), "%s: hook %q is not from a pack", job.command, name)
		}
	}
	return found, nil
}

// fetch calls f with a group of which the pack was fetched.
func (job *packJob) fetch(g *pack.Group, f func(context.Context) error) error {
	source, err := g.Place.SourceOf(g.Source)
	if err != nil {
		return err
	}
	return job.read(source, cmp.Or(g.Commit, g.Ref), g.Dir, func(ctx context.Context, p *pack.Pack) error {
		g.Pack = p
		return f(ctx)
	})
}

// update plans the changes of hooks from one source. If it was rolled back or rewritten, or is another one
// now, they need a person's yes, and none is made with --yes.
func (job *packJob) update(ctx context.Context, g *pack.Group) error {
	before := len(job.changes)
	if g.Followed != nil {
		job.follow = append(job.follow, g)
	}
	gone, names, also := g.Plan()
	for _, c := range gone {
		if !job.conflict(c) {
			job.changes = append(job.changes, c)
		}
	}
	if newer := g.Pack.Newer; len(newer) > 0 && job.ref == "" {
		last := len(newer) - 1
		job.env.note("%s is pinned to %s; newer: %s (agent-hooks update --ref %s)", g, g.Ref, strings.Join(newer[max(0, last-4):], ", "), shellWord(newer[last]))
	}
	for _, name := range also {
		job.env.note("%s also has %s", g.Source, name)
	}
	if err := job.plan(g.Place, g.Pack, names); err != nil || job.ref != "" {
		return err
	}
	err := g.Suspect(ctx, job.git())
	if err == nil {
		return nil
	}
	job.env.warn("%s was rolled back or rewritten, or is another one now: %s was installed, and %v", g.Source, g.Locked[0].Commit[:12], err)
	if !job.yes {
		return nil
	}
	for _, c := range job.changes[before:] {
		if !c.Current {
			job.keep("hook %s: kept: somebody has to agree to this change (agent-hooks update, or --ref %s)", c.Name, shellWord(cmp.Or(g.Ref, "HEAD")))
		}
	}
	job.changes = job.changes[:before]
	return nil
}

// apply makes the changes, which a signal does not interrupt.
func (job *packJob) apply(changes []*pack.Change) error {
	for _, at := range job.places {
		mine := slices.DeleteFunc(slices.Clone(changes), func(c *pack.Change) bool { return c.Place != at })
		if err := untilSignalOnly(func(context.Context) error { return at.Apply(mine) }); err != nil {
			return fmt.Errorf("%s: %w", job.command, err)
		}
		for _, c := range mine {
			verb := "installed"
			switch {
			case c.Current:
				continue
			case c.Pack == nil:
				verb = "removed"
			case c.News == pack.SameContent:
				verb = "recorded the source of"
			}
			job.env.line("%s %s", verb, job.env.short(filepath.Join(at.Hooks, c.Name)))
		}
	}
	return nil
}

// sources sets the sources of the rows that are in a hooks.lock, and returns a line for each source.
func (env *Env) sources(hooks *agenthooks.Hooks, rows []explain.Listed) (lines []string) {
	user, _ := env.userHooks()
	names := map[string][]string{} // by their source
	for scope, dir := range map[discovery.Scope]string{discovery.UserScope: user, discovery.ProjectScope: hooks.Project.Hooks, discovery.ManagedScope: place.ManagedHooks()} {
		at := &pack.Place{Scope: scope, Hooks: dir}
		if dir == "" {
			continue
		}
		if err := at.Open(); err != nil {
			env.warn("%v", err)
			continue
		}
		for _, l := range at.Locked() {
			name := l.Name
			if l.State != pack.Same {
				name += " (" + string(l.State) + ")"
			}
			for i, r := range rows {
				if r.Hook == l.Name && r.Scope == scope {
					rows[i].Source, rows[i].Ref, rows[i].Commit = l.Source, l.Ref, l.Commit
					if !slices.Contains(names[l.Describe()], name) {
						names[l.Describe()] = append(names[l.Describe()], name)
					}
				}
			}
		}
	}
	for _, source := range slices.Sorted(maps.Keys(names)) {
		slices.Sort(names[source])
		lines = append(lines, "from "+source+": "+strings.Join(names[source], ", "))
	}
	return lines
}
