package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

type trustFlags struct{ yes, list, json, dryRun bool }

func (f *trustFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.yes, "yes", false, "trust without asking; for scripts whose author has read the hooks")
	fs.BoolVar(&f.list, "list", false, "show what is trusted, in every repository")
	fs.BoolVar(&f.json, "json", false, "with --list: print JSON")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show the hooks, and trust none")
}

// trustCommand is `agent-hooks trust [DIR]` (D40): exit status 1 if a hook is
// left that is not trusted.
func trustCommand(env *Env, args []string) (int, error) {
	flags, args, err := parse[trustFlags]("trust", args)
	if err != nil {
		return 0, err
	}
	if flags.json && !flags.list {
		return 0, usagef("agent-hooks trust --list --json", "trust: --json goes with --list")
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

// projectOf loads the hooks of the project in DIR, else of the current one.
func (env *Env) projectOf(command string, args []string) (*agenthooks.Hooks, error) {
	roots := agenthooks.Roots("", env.Getenv, nil, env.Dir)
	switch len(args) {
	case 0:
	case 1:
		dir := env.absolute(args[0])
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("%s: %q is not a directory", command, args[0])
		}
		roots = []discovery.Candidate{{Source: "DIR", Dir: dir}}
	default:
		return nil, noArguments(command, args[1:])
	}
	user, _ := discovery.UserHooks(env.Getenv, runtime.GOOS)
	hooks := agenthooks.Load(agenthooks.Options{UserHooks: user, Home: env.home(), Roots: roots, Environ: env.Environ})
	for _, w := range hooks.Warnings {
		env.warn("%s", w)
	}
	if hooks.Project.Root == "" {
		return nil, fmt.Errorf("%s: there is no project", command)
	}
	return hooks, nil
}

func (env *Env) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(env.Dir, path)
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

// trust reads everything before it shows anything: what was shown is what is
// trusted.
func (env *Env) trust(hooks *agenthooks.Hooks, flags trustFlags) (int, error) {
	store, err := trust.Open(env.trustDir())
	if err != nil {
		return 0, err
	}
	place := trust.Locate(hooks.Project.Root)
	var reviews []*review
	for _, h := range projectHooks(hooks) {
		r, err := newReview(h, place, store, env.Getenv("PATH"))
		if err != nil {
			return 0, err
		}
		reviews = append(reviews, r)
	}
	if _, err := io.WriteString(env.Stdout, env.showReviews(hooks.Project.Hooks, reviews)); err != nil {
		return 0, err
	}
	return env.settleTrust(store, place, reviews, flags)
}

func (env *Env) settleTrust(store *trust.Store, place trust.Place, reviews []*review, flags trustFlags) (int, error) {
	var folders []*trust.Folder
	asked, refused := 0, 0
	for _, r := range reviews {
		switch {
		case r.refused != "":
			refused++
			continue
		case r.news != unchanged:
			asked++
		}
		if r.news != unchanged || !r.remembered {
			folders = append(folders, r.folder)
		}
	}
	if flags.dryRun {
		return spec.ExitContinue, nil
	}
	if asked > 0 && !flags.yes {
		if err := env.ask(fmt.Sprintf("trust %s? [y/N] ", theseHooks(asked))); err != nil {
			return 0, err
		}
	}
	if len(folders) > 0 {
		written, err := store.Add(place, folders, time.Now())
		env.told("wrote", written)
		if err != nil {
			return 0, err
		}
	}
	told := fmt.Sprintf("trusted %s; %s trusted already, %d refused", plural(asked, "hook"), plural(len(reviews)-asked-refused, "hook"), refused)
	fmt.Fprint(env.Stderr, env.paragraph(env.Stderr, 2, told))
	if refused > 0 {
		return spec.ExitError, nil
	}
	return spec.ExitContinue, nil
}

func theseHooks(n int) string {
	if n == 1 {
		return "this hook"
	}
	return fmt.Sprintf("these %d hooks", n)
}

// ask asks on the terminal; without one, or for any answer but yes, it is an
// error and nothing has changed.
func (env *Env) ask(question string) error {
	return env.confirm(question, "nothing was trusted", "--yes trusts without asking")
}

// confirm asks a question on the terminal. Any answer but yes is the error
// otherwise; without a terminal the error says so, too, and what would do.
func (env *Env) confirm(question, otherwise, hint string) error {
	if !isTerminal(env.Stdin) || !isTerminal(env.Stdout) {
		return fmt.Errorf("stdin and stdout are not a terminal, so nobody can be asked; %s (%s)", otherwise, hint)
	}
	fmt.Fprint(env.Stdout, question)
	line, err := bufio.NewReader(env.Stdin).ReadString('\n')
	if err != nil {
		fmt.Fprintln(env.Stdout) // nobody has ended the line
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return nil
	}
	return errors.New(otherwise)
}

// told says which files were changed.
func (env *Env) told(verb string, paths []string) {
	for _, path := range paths {
		fmt.Fprint(env.Stderr, env.paragraph(env.Stderr, 2, verb+" "+printable(path)))
	}
}
