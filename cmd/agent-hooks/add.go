package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	osexec "os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/explain"
	"github.com/agent-hooks/agent-hooks/internal/author/scaffold"
	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/internal/pack"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

const addAbout = `SOURCE is a folder or a git repository: a URL that begins with https://, ssh:// or file://, or HOST:PATH as ssh has it. Its hooks are the folders with a HOOK.md in --dir, otherwise in the directory that its pack.toml names, otherwise in .agents/hooks or in its root. Without HOOK, all of them are offered.
Every file is shown, and exactly what was shown is installed; a project's hook is then reviewed, as with agent-hooks trust. Before the question, constant answers run on the calls of your past 30 days and on their own test cases. Scripts run on their test cases only after you agree.
hooks.lock, next to the directory of hooks, names the source, the commit and the content of each hook. A hook that is not in it is never replaced.
`

const updateAbout = `Shows what changed in the sources of your hooks and of the project's, and asks. Without --ref, a hook stays on its branch, tag or commit; --ref with an older tag or commit rolls back. A hook that you edited is kept, and named. The exit status is 1 if a hook is kept back or declined.
--check reads only the hooks and hooks.lock: the exit status is 1 if a hook differs from it or is missing.
`

// offerFlags are the flags of the commands that offer hooks of packs.
type offerFlags struct {
	scopeFlag
	ref                  string
	yes, dryRun, unshown bool
}

func (f *offerFlags) declare(fs *flag.FlagSet, scope string) {
	f.scopeFlag.declare(fs, scope)
	fs.StringVar(&f.ref, "ref", "", "the branch, the tag or the whole commit `REF`; default: the repository's HEAD, or what hooks.lock names")
	fs.BoolVar(&f.yes, "yes", false, "install without asking; for scripts, if you have read the hooks")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show the hooks, but install none")
	fs.BoolVar(&f.unshown, "unshown", false, "also offer hooks with binary files, which cannot be shown")
}

type addFlags struct {
	offerFlags
	dir string
}

func (f *addFlags) declare(fs *flag.FlagSet) {
	f.offerFlags.declare(fs, "install `user|project` hooks: yours (the default), or the current project's")
	fs.StringVar(&f.dir, "dir", "", "find the hooks in `DIR` of the source")
}

// execute is `agent-hooks add SOURCE [HOOK ...]` (D81).
func (flags addFlags) execute(env *Env, args []string) (int, error) {
	if len(args) == 0 {
		return 0, usagef("agent-hooks add https://HOST/PATH", "add: no SOURCE given")
	}
	source, err := pack.ParseSource(args[0], env.Dir)
	if err != nil {
		return 0, usagef("agent-hooks help add", "add: %v", err)
	}
	job, err := env.packJob("add", flags.offerFlags)
	if err != nil {
		return 0, err
	}
	at, err := job.place(cmp.Or(discovery.Scope(flags.chosen), discovery.UserScope))
	if err != nil {
		return 0, err
	}
	err = job.read(source, flags.ref, flags.dir, func(p *pack.Pack) error {
		names := args[1:]
		if len(names) == 0 {
			names = p.Hooks
		}
		return job.offerAll(at, p, names)
	})
	if err != nil {
		return 0, fmt.Errorf("add: %w", err)
	}
	return job.settle()
}

func (job *packJob) offerAll(at *packPlace, p *pack.Pack, names []string) error {
	for _, name := range names {
		if !slices.Contains(p.Hooks, name) {
			return usagef(near.Hint("its hooks are "+strings.Join(p.Hooks, ", "), "%s", name, p.Hooks), "the source has no hook %q", name)
		}
		if err := job.offer(at, p, name, true); err != nil {
			return err
		}
	}
	return nil
}

type updateFlags struct {
	offerFlags
	check bool
}

func (f *updateFlags) declare(fs *flag.FlagSet) {
	f.offerFlags.declare(fs, "only `user|project` hooks")
	fs.BoolVar(&f.check, "check", false, "only compare the hooks with hooks.lock, offline")
}

// execute is `agent-hooks update [HOOK ...]` (D81).
func (flags updateFlags) execute(env *Env, args []string) (int, error) {
	if flags.check && (flags.ref != "" || flags.yes || flags.dryRun) {
		return 0, usagef("agent-hooks update --check", "update: --check changes nothing")
	}
	job, err := env.packJob("update", flags.offerFlags)
	if err != nil {
		return 0, err
	}
	locked, err := job.locked(args)
	if err != nil {
		return 0, err
	}
	if flags.check {
		return job.check(locked)
	}
	if len(locked) == 0 {
		return spec.ExitContinue, env.print("no hook is from a pack\n")
	}
	job.update(locked)
	return job.settle()
}

type removeFlags struct{ scopeFlag }

func (f *removeFlags) declare(fs *flag.FlagSet) {
	f.scopeFlag.declare(fs, "only `user|project` hooks")
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
	for i, l := range locked {
		if slices.ContainsFunc(locked[:i], func(o lockedHook) bool { return o.name == l.name }) {
			return 0, usagef("agent-hooks remove --scope user "+shellWord(l.name), "remove: both you and the project have hook %s from a pack", l.name)
		}
	}
	return job.remove(locked)
}

// packJob is one call of add, update or remove.
type packJob struct {
	offerFlags
	env     *Env
	command string
	hooks   *agenthooks.Hooks
	git     pack.Git
	places  map[discovery.Scope]*packPlace
	offers  []*offer
	kept    int // hooks that are not as the user asked
}

// packPlace is a directory of hooks with its lock and, for a project, its reviews.
type packPlace struct {
	pack.Place
	lock    *pack.Lock
	store   *trust.Store   // nil for the user's
	history *trust.History // nil for the user's
}

func (env *Env) packJob(command string, flags offerFlags) (*packJob, error) {
	options := env.options(projectFlags{}, nil)
	options.NoConfig = true
	job := &packJob{offerFlags: flags, env: env, command: command, hooks: agenthooks.Load(options), places: map[discovery.Scope]*packPlace{}}
	job.git = pack.Git{Environ: job.environ(), Timeout: pack.Timeout, Max: pack.MaxFetched}
	if program, err := osexec.LookPath("git"); err == nil {
		job.git.Program = program
	}
	return job, nil
}

// environ returns the environment without directories of configuration in the project: git would read a
// repository's files there as the user's. A home that is the project is the user's own.
func (job *packJob) environ() []string {
	root := job.hooks.Project.Root
	if home := job.env.home(); home != "" && place.Physical(home) == root {
		return job.env.Environ
	}
	return slices.DeleteFunc(slices.Clone(job.env.Environ), func(variable string) bool {
		name, value, _ := strings.Cut(variable, "=")
		inside := slices.Contains([]string{"HOME", "XDG_CONFIG_HOME", "USERPROFILE"}, name) && root != "" &&
			place.Contains(root, place.Physical(job.env.absolute(value)))
		if inside {
			job.env.warn("%s is inside the project, so git does not get it", name)
		}
		return inside
	})
}

// place returns the directory of hooks of a scope; nil without a project, unless the user selected
// it.
func (job *packJob) place(scope discovery.Scope) (*packPlace, error) {
	if at := job.places[scope]; at != nil {
		return at, nil
	}
	at := &packPlace{Place: pack.Place{Scope: scope, State: job.env.state()}}
	var warning string
	if scope == discovery.UserScope {
		at.Hooks, warning = job.env.userHooks()
	} else {
		at.Hooks = scaffold.ProjectHooks(job.hooks.Project.Root, job.hooks.Project.Hooks, job.env.home(), false)
	}
	switch {
	case at.Hooks != "":
	case scope == discovery.UserScope:
		return nil, fmt.Errorf("%s: there is no directory for your hooks: %s", job.command, cmp.Or(warning, "HOME is not set"))
	default:
		return nil, fmt.Errorf("%s: there is no project here: no git repository and no .agents/hooks", job.command)
	}
	if err := at.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", job.command, err)
	}
	var err error
	if at.lock, err = at.Lock(); err != nil {
		return nil, fmt.Errorf("%s: %w", job.command, err)
	}
	if scope == discovery.ProjectScope {
		if err := job.review(at); err != nil {
			return nil, err
		}
	}
	job.places[scope] = at
	return at, nil
}

// review opens the store of reviews for a project.
func (job *packJob) review(at *packPlace) (err error) {
	if at.store, err = trust.Open(job.env.trustDir()); err != nil {
		return err
	}
	root := at.root()
	if err := at.store.Outside(root, job.env.home()); err != nil {
		return err
	}
	at.history = at.store.History(root)
	return nil
}

func (at *packPlace) root() string { return filepath.Dir(filepath.Dir(at.Hooks)) }

// read fetches a pack and calls offer with it, unless a signal stops that. What was fetched is
// removed afterwards: prompts may end the program.
func (job *packJob) read(source pack.Source, ref, dir string, offer func(*pack.Pack) error) error {
	line := statusLine{env: job.env, out: job.env.Stderr}
	if source.Git {
		line.show("fetching " + source.Text)
	}
	return untilSignalOnly(func(ctx context.Context) error {
		p, err := pack.Open(ctx, job.git, source, ref, dir)
		line.erase()
		if err != nil {
			return err
		}
		defer p.Close()
		if len(p.Unknown) > 0 {
			job.env.warn("%s: pack.toml: unknown keys are ignored: %s", source.Text, strings.Join(p.Unknown, ", "))
		}
		return offer(p)
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

// offer is one hook of a pack that the user may install.
type offer struct {
	*trust.Candidate
	at     *packPlace
	change pack.Change
	pack   *pack.Pack
	silent bool // only the lock changes
}

// offer adds a hook of a pack to the offers, or says why the installed one is kept. With adopt,
// a hook with the same content that is not in the lock is added to it.
func (job *packJob) offer(at *packPlace, p *pack.Pack, name string, adopt bool) error {
	folder, err := p.Read(name)
	if err != nil {
		job.keep("hook %s: refused: %v", name, err)
		return nil
	}
	o := &offer{at: at, pack: p, change: pack.Change{Name: name, Folder: folder, Entry: at.Entry(p, folder)}}
	locked, is := at.lock.Hooks[name]
	executable := o.change.Entry.Executable
	if is {
		executable = locked.Executable
	}
	now, err := at.Installed(name, executable)
	switch {
	case err != nil:
		job.keep("hook %s: kept, because it cannot be read: %v", name, err)
		return nil
	case now == nil:
	case now.Digest() == o.change.Entry.Digest:
		o.change.Was = now.Digest()
		o.silent = at.history == nil || !adopt || at.history.Holds(trust.Content{Name: name, Digest: now.Digest()}, false)
	case !is:
		job.keep("hook %s: kept: %s is not from a pack, and nothing is overwritten", name, job.env.short(filepath.Join(at.Hooks, name)))
		return nil
	case now.Digest() != locked.Digest:
		job.keep("hook %s: kept, because it was edited since it was installed (agent-hooks %s again after you have moved or removed %s)", name, job.command, job.env.short(filepath.Join(at.Hooks, name)))
		return nil
	default:
		o.change.Was = now.Digest()
	}
	if cause := job.protected(at, name); cause != "" && now == nil {
		job.keep("hook %s: refused: %s", name, cause)
		return nil
	}
	before := now
	if at.history != nil { // what a repository contains is not what the user has reviewed
		if before, err = at.history.Reviewed(name); err != nil {
			return err
		}
	}
	if before != nil && before.Digest() == folder.Digest() {
		before = nil
	}
	o.Candidate = trust.Examine(folder, before, p.Source.Text+"/"+p.Folder(name), job.unshown, job.env.Getenv("PATH"))
	o.Replaces = at.Scope == discovery.ProjectScope && job.find(name, discovery.UserScope) != nil
	if before != nil {
		o.News = "changed since you " + map[bool]trust.News{true: "reviewed", false: "installed"}[at.history != nil] + " it"
	}
	if is && locked.Source != o.change.Entry.Source {
		o.Detail = "it was from " + locked.Source
	}
	job.offers = append(job.offers, o)
	return nil
}

// Entry returns the entry of the lock for a hook of a pack.
func (at *packPlace) Entry(p *pack.Pack, f *trust.Folder) pack.Hook {
	h := p.Entry(f)
	if at.Scope == discovery.ProjectScope {
		h.Source = pack.Relative(p.Source, at.root())
	}
	return h
}

func (job *packJob) find(name string, scope discovery.Scope) *discovery.Hook {
	in := scaffold.Place{Table: job.hooks.Table}
	return in.Find(name, scope)
}

// protected returns why a project's hook of this name would not run.
func (job *packJob) protected(at *packPlace, name string) string {
	if at.Scope != discovery.ProjectScope || job.find(name, discovery.UserScope) == nil {
		return ""
	}
	if job.env.load(projectFlags{}, nil).Protected(name) {
		return "your hooks.toml protects your own hook of this name"
	}
	return ""
}

// keep reports a hook that is not as the user asked.
func (job *packJob) keep(format string, args ...any) {
	job.kept++
	job.env.line(format, args...)
}

// lockedHook is a hook in a lock.
type lockedHook struct {
	at   *packPlace
	name string
	pack.Hook
}

// locked returns the hooks in the locks with the names, or all of them.
func (job *packJob) locked(names []string) (found []lockedHook, err error) {
	scopes := []discovery.Scope{discovery.UserScope, discovery.ProjectScope}
	if job.chosen != "" {
		scopes = []discovery.Scope{discovery.Scope(job.chosen)}
	}
	known := map[string]bool{}
	var all []string
	for _, scope := range scopes {
		if job.chosen == "" && scope == discovery.ProjectScope && job.hooks.Project.Root == "" {
			continue
		}
		at, err := job.place(scope)
		if err != nil && job.chosen == "" && scope == discovery.ProjectScope && !job.isProject() {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, name := range at.lock.Names() {
			known[name], all = true, append(all, name)
			if len(names) == 0 || slices.Contains(names, name) {
				found = append(found, lockedHook{at, name, at.lock.Hooks[name]})
			}
		}
	}
	for _, name := range names {
		if !known[name] {
			return nil, usagef(near.Hint("agent-hooks list shows where hooks are from", "agent-hooks "+job.command+" %s", name, all), "%s: hook %q is not from a pack", job.command, name)
		}
	}
	return found, nil
}

// isProject reports whether the current directory is in a project.
func (job *packJob) isProject() bool {
	return scaffold.ProjectHooks(job.hooks.Project.Root, job.hooks.Project.Hooks, job.env.home(), false) != ""
}

// check is `agent-hooks update --check`.
func (job *packJob) check(locked []lockedHook) (int, error) {
	same := 0
	for _, l := range locked {
		state, cause := l.at.Compare(l.name, l.Hook)
		switch {
		case state == pack.Same:
			same++
			continue
		case cause != nil:
			job.keep("hook %s: %s: %v", l.name, state, cause)
		default:
			job.keep("hook %s: %s: %s", l.name, state, job.env.short(filepath.Join(l.at.Hooks, l.name)))
		}
	}
	job.env.line("%s as in hooks.lock, %d not", term.Plural(same, "hook"), job.kept)
	return exitStatus(job.kept > 0), nil
}

// update fetches each source once and offers its hooks.
func (job *packJob) update(locked []lockedHook) {
	type group struct {
		at               *packPlace
		source, ref, dir string
	}
	byGroup := map[group][]lockedHook{}
	var order []group
	for _, l := range locked {
		g := group{l.at, l.Source, l.Ref, path.Dir(l.Folder)}
		if job.ref != "" {
			g.ref = job.ref
		}
		if byGroup[g] == nil {
			order = append(order, g)
		}
		byGroup[g] = append(byGroup[g], l)
	}
	for _, g := range order {
		source, err := g.at.SourceOf(byGroup[g][0].Hook)
		if err == nil {
			err = job.read(source, g.ref, g.dir, func(p *pack.Pack) error { return job.offerLocked(p, byGroup[g]) })
		}
		if err != nil {
			job.keep("%s: %v", strings.Join(names(byGroup[g]), ", "), err)
		}
	}
}

func (job *packJob) offerLocked(p *pack.Pack, locked []lockedHook) (err error) {
	for _, l := range locked {
		if !slices.Contains(p.Hooks, l.name) {
			job.keep("hook %s: kept: it is no longer in %s (agent-hooks remove %s)", l.name, l.Source, l.name)
		} else {
			err = errors.Join(err, job.offer(l.at, p, l.name, false))
		}
	}
	at := locked[0].at
	more := slices.DeleteFunc(slices.Clone(p.Hooks), func(name string) bool {
		_, is := at.lock.Hooks[name]
		return is || !pack.ValidName(name)
	})
	if len(more) > 0 {
		job.env.note("%s also has %s", locked[0].Source, strings.Join(more, ", "))
	}
	return err
}

func names(locked []lockedHook) (all []string) {
	for _, l := range locked {
		all = append(all, l.name)
	}
	return all
}

// remove removes hooks and, of a project, their reviews.
func (job *packJob) remove(locked []lockedHook) (int, error) {
	changes := map[*packPlace][]pack.Change{}
	for _, l := range locked {
		state, cause := l.at.Compare(l.name, l.Hook)
		c := pack.Change{Name: l.name}
		switch state {
		case pack.Same:
			c.Was = l.Digest
		case pack.Missing:
		default:
			reason := "it was edited since it was installed"
			if cause != nil {
				reason = cause.Error()
			}
			job.keep("hook %s: kept: %s; remove %s yourself, then run this again", l.name, reason, job.env.short(filepath.Join(l.at.Hooks, l.name)))
			continue
		}
		changes[l.at] = append(changes[l.at], c)
	}
	for at, list := range changes {
		done, err := job.apply(at, list)
		for _, c := range done {
			job.env.line("removed %s", job.env.short(filepath.Join(at.Hooks, c.Name)))
			if at.store != nil {
				_, revoked := at.store.Revoke(at.store.Trusted(at.root(), job.env.home(), func(name string) bool { return name == c.Name }))
				err = errors.Join(err, revoked)
			}
		}
		if err != nil {
			return 0, fmt.Errorf("remove: %w", err)
		}
	}
	return exitStatus(job.kept > 0), nil
}

// apply makes changes, which a signal does not interrupt.
func (job *packJob) apply(at *packPlace, changes []pack.Change) (done []pack.Change, err error) {
	err = untilSignalOnly(func(context.Context) error {
		done, err = at.Apply(changes)
		return err
	})
	return done, err
}

// install writes the hooks to which the user agreed, and records the review of a project's.
func (job *packJob) install(at *packPlace, accepted []*offer) error {
	var changes []pack.Change
	var folders []*trust.Folder
	for _, o := range accepted {
		changes = append(changes, o.change)
	}
	done, err := job.apply(at, changes)
	for _, o := range accepted {
		if !slices.ContainsFunc(done, func(c pack.Change) bool { return c.Name == o.Name }) || o.silent {
			continue
		}
		folders = append(folders, o.Folder)
		job.env.line("installed %s", job.env.short(filepath.Join(at.Hooks, o.Name)))
	}
	if at.store != nil && len(folders) > 0 {
		_, _, trusted := at.store.Add(at.root(), false, folders, time.Now())
		err = errors.Join(err, trusted)
	}
	return err
}

// sources sets the sources of the rows that are in a hooks.lock, and returns a line for each source.
func (env *Env) sources(hooks *agenthooks.Hooks, rows []explain.Listed) (lines []string) {
	user, _ := env.userHooks()
	byText := map[string][]string{}
	var order []string
	for scope, dir := range map[discovery.Scope]string{discovery.UserScope: user, discovery.ProjectScope: hooks.Project.Hooks} {
		if dir == "" {
			continue
		}
		at := pack.Place{Scope: scope, Hooks: dir}
		lock, err := at.Lock()
		if err != nil {
			env.warn("%v", err)
			continue
		}
		for i := range rows {
			entry, is := lock.Hooks[rows[i].Hook]
			if !is || rows[i].Scope != scope {
				continue
			}
			rows[i].Source, rows[i].Ref, rows[i].Commit = entry.Source, entry.Ref, entry.Commit
			text := "from " + entry.Describe()
			if byText[text] == nil {
				order = append(order, text)
			}
			name := rows[i].Hook
			if state, _ := at.Compare(name, entry); state != pack.Same {
				name += " (" + string(state) + ")"
			}
			if !slices.Contains(byText[text], name) { // a hook may have a row for each event
				byText[text] = append(byText[text], name)
			}
		}
	}
	slices.Sort(order)
	for _, text := range order {
		slices.Sort(byText[text])
		lines = append(lines, text+": "+strings.Join(byText[text], ", "))
	}
	return lines
}
