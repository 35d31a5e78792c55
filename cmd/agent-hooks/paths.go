package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/agents"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// declareDirectories declares the options of all commands that read hooks or state (D1, D2).
func (env *Env) declareDirectories(fs *flag.FlagSet) {
	fs.Func("project", "search for the project upward from `DIR` instead of the current directory", func(dir string) error {
		env.project = cmp.Or(dir, " ") // reported as invalid, unlike a missing --project
		return nil
	})
	directory := func(to *string) func(string) error {
		return func(dir string) error {
			*to = dir
			if strings.TrimSpace(dir) == "" {
				return errors.New("names no directory")
			}
			return nil
		}
	}
	fs.Func("config-dir", "read the user's hooks from `DIR`/agents/hooks instead of XDG_CONFIG_HOME", directory(&env.configDir))
	fs.Func("state-dir", "keep the run log and the reviewed copies in `DIR`/agent-hooks instead of XDG_STATE_HOME", directory(&env.stateDir))
}

// userHooks returns the user's hooks directory, "" if there is none.
func (env *Env) userHooks() (dir, warning string) {
	_, dir, _, warnings := env.options(nil).Directories()
	return dir, strings.Join(warnings, "; ")
}

// warnPlaces prints which variables do not locate the user's files, for commands that write there
// without loading hooks.
func (env *Env) warnPlaces() {
	_, _, _, warnings := env.options(nil).Directories()
	env.warnAll(warnings)
}

// ownPlaces returns an error for a command that creates files of the user's, if HOME or XDG_CONFIG_HOME
// names another place for them, which is ignored because it is in the project (D1): nobody means both.
func (env *Env) ownPlaces() error {
	home, name := env.home(), place.HomeVariable()
	value, instead := env.Getenv(name), home
	if value == "" || value == home {
		name, value, instead = "XDG_CONFIG_HOME", env.Getenv("XDG_CONFIG_HOME"), ""
		if hooks, _ := env.userHooks(); env.configDir != "" || !filepath.IsAbs(value) || paths.Contains(value, hooks) {
			return nil
		}
	}
	return usagef(fmt.Sprintf("start it outside the project, or, for the files in %s, with %s=%s", term.Printable(home), name, shellWord(instead)),
		"%s is %s, which is inside the project or relative, so no run reads your hooks there; nothing was written", name, term.Printable(value))
}

// trustDir returns the directory of the reviewed copies; "" if there is none.
func (env *Env) trustDir() string {
	if state := env.state(); state != "" {
		return filepath.Join(state, "trust")
	}
	return ""
}

// state returns the directory of the run log and the reviewed copies, "" if
// there is none.
func (env *Env) state() string {
	_, _, state, _ := env.options(nil).Directories()
	return state
}

// home returns the user's home directory, the one in which run finds the user's hooks (D1).
func (env *Env) home() string {
	home, _, _, _ := env.options(nil).Directories()
	return home
}

func (env *Env) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(env.Dir, path)
}

// relative shortens a path below the current directory.
func (env *Env) relative(path string) string {
	if rel, err := filepath.Rel(env.Dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// short returns a path in the form for a shell: relative below the current directory, otherwise
// relative to home or absolute. It is printable.
func (env *Env) short(path string) string {
	if rel := env.relative(path); rel != path {
		return shellWord(rel)
	}
	return env.tilde(path)
}

// homely returns a text with ~ for the home directory in the paths below it.
func (env *Env) homely(text string) string {
	home := env.Getenv(place.HomeVariable()) + "/"
	if runtime.GOOS == "windows" || len(home) < len("/h/") || !filepath.IsAbs(home) {
		return text
	}
	parts := strings.Split(text, home)
	for i, before := range parts[:len(parts)-1] {
		if before == "" && i == 0 || strings.HasSuffix(before, " ") || strings.HasSuffix(before, `"`) || strings.HasSuffix(before, "(") {
			parts[i] += "~/"
		} else {
			parts[i] += home
		}
	}
	return strings.Join(parts, "")
}

// tilde returns a path in the form for a shell: relative to home or absolute. It is printable.
func (env *Env) tilde(path string) string {
	word := shellWord(path)
	if rel, err := filepath.Rel(env.Getenv(place.HomeVariable()), path); err == nil && filepath.IsLocal(rel) && word == path && runtime.GOOS != "windows" {
		return "~/" + rel
	}
	return word
}

// shellWord quotes text for a shell if necessary.
func shellWord(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./~:@%+,=", r)
	}) {
		return "'" + strings.ReplaceAll(term.Printable(text), "'", `'\''`) + "'"
	}
	return text
}

// load finds and loads the hooks of user and project. event may be nil.
func (env *Env) load(event *protocol.Event) *agenthooks.Hooks {
	return agenthooks.Load(env.options(event))
}

// noHooks says that there are no hooks, where they were looked for, and how to get some.
func (env *Env) noHooks() error {
	env.noteNoHooks()
	return env.print("no hooks\n")
}

func (env *Env) noteNoHooks() {
	user, _ := env.userHooks()
	start := filepath.Clean(env.absolute(cmp.Or(env.project, ".")))
	env.note("looked in %s, and for .agents/hooks in %s and above; agent-hooks setup adds guards, agent-hooks new writes a hook", env.tilde(user), env.tilde(start))
}

// hooks loads the hooks of user and project for a command that shows or uses all of them, and
// prints the warnings.
func (env *Env) hooks() *agenthooks.Hooks {
	hooks := env.load(nil)
	env.warnAll(hooks.Warnings)
	return hooks
}

// warnHooks prints what is wrong with the hooks as a whole.
func (env *Env) warnHooks(hooks *agenthooks.Hooks) {
	env.warnAll(hooks.Warnings)
	for _, d := range hooks.Diagnostics {
		env.warn("%s", d)
	}
}

// finder finds the hooks that the arguments of a command name.
func (env *Env) finder(command string, hooks *agenthooks.Hooks) *suite.Finder {
	user, _ := env.userHooks()
	return &suite.Finder{Command: command, Dir: env.Dir, User: user, Project: hooks.Project.Hooks, Hooks: suite.All(hooks.Table)}
}

// options returns the options with which the hooks are loaded to be shown. event may be nil.
func (env *Env) options(event *protocol.Event) agenthooks.Options {
	o := agenthooks.Options{
		Project: env.project, Event: event, Dir: env.Dir, Environ: env.Environ,
		TrustProject: !env.requireTrust, NoLog: true, Scripts: agents.Script,
		Program: env.program(), Supervisor: []string{env.Args[0], superviseName}, ConfigDir: env.configDir, StateDir: env.stateDir, AccountHome: env.Account,
	}
	if env.stateDir != "" {
		o.Supervisor = append(o.Supervisor, "--state-dir", env.absolute(env.stateDir))
	}
	return o
}

// runOptions returns the options with which the hooks are loaded to be run: the runs are logged.
func (env *Env) runOptions(event *protocol.Event) agenthooks.Options {
	o := env.options(event)
	o.NoLog = env.noFiles
	if event != nil {
		o.Only = event.Type
	}
	return o
}
