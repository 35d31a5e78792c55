package agenthooks

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Options select what Load reads. The zero Options suit a process that acts for
// its user: its environment names the user's directories, and the project is
// searched upward from its working directory.
type Options struct {
	// Project is the directory from which the project is searched upward. If it
	// is "", the search starts from the agent's own variables in Environ, the
	// directories that Event names, or Dir (D2). An agent that knows its
	// project should set it. A value of only spaces is reported and ignored.
	Project string
	// Event is the event about to be planned, if there is one.
	Event *protocol.Event
	// Dir is the working directory; "" means that of the process. A relative
	// Project is resolved against it.
	Dir string
	// Environ, in the form KEY=value, is the environment that hooks inherit. It
	// also determines the user's home, configuration and state directories. The
	// last value of a repeated key counts. nil means the environment of the
	// process.
	Environ []string
	// ConfigDir and StateDir replace $XDG_CONFIG_HOME and $XDG_STATE_HOME (D1).
	// The user's hooks are in ConfigDir/agents/hooks; the run log and the
	// reviewed copies are in StateDir/agent-hooks.
	ConfigDir, StateDir string
	// AccountHome is the home directory that replaces a HOME in the project
	// (D89). "" means that of the process's user in the account database.
	AccountHome string
	// Agent is the name of the calling agent, for hooks (AGENT_HOOKS_AGENT) and
	// for the run log; "" if unknown. For an agent known to package agent, only
	// its own variables locate the project (D2).
	Agent string
	// Program is the absolute path of the agent-hooks program, which hooks may
	// call (AGENT_HOOKS_PROGRAM); "" for none.
	Program string
	// Only promises that the hooks will be used only for events of this type.
	// Load then reads only the triggers of others (D74), and compares a reviewed
	// hook with the project's folder only when the hook is about to run (D40).
	// "" means any event.
	Only spec.EventType

	// RequireTrust runs only reviewed project hooks (D40), regardless of the
	// user's hooks.toml.
	RequireTrust bool
	// NoSettings ignores the hooks.toml files, including their trust setting.
	NoSettings bool
	// NoLog excludes runs from the run log and from recording.
	NoLog bool
	// Isolated ignores all of the user's files: hooks, settings, trust, run log
	// and recording. The project is searched only from Project; without one
	// there are no hooks. It is for tests.
	Isolated bool

	// Until limits the time for reading and planning the project's hooks, for
	// hooks that are loaded for one run. Hooks not read by then are reported;
	// hooks not planned by then are failures. The zero time allows at most
	// spec.MaxLoad for each of the two.
	Until time.Time

	// Supervisor is a command line, including the program's name, with which
	// this program starts itself again, for example {"my-agent", "supervise"}.
	// That process must call Supervise. Async hooks then outlive this process.
	// nil means that they run in this process and end with it (D36).
	Supervisor []string
	// Keep, if not nil, is called once for each hook that was read, before
	// settings apply, and returns the hook to use instead. An editor can show
	// the last valid version of a hook that is being edited.
	Keep func(*discovery.Hook) *discovery.Hook

	// Set by complete: inProject returns the variables that name a directory in
	// the project, and account the home directory in the account database.
	inProject func() map[string]bool
	account   func() string
	relative  string // ConfigDir as it was given, if it was relative
}

// complete fills in defaults from the process.
func (o Options) complete() Options {
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.Dir == "" {
		o.Dir, _ = os.Getwd()
	}
	if strings.TrimSpace(o.Project) != "" && !filepath.IsAbs(o.Project) {
		o.Project = filepath.Join(o.Dir, o.Project)
	}
	if o.ConfigDir != "" && !filepath.IsAbs(o.ConfigDir) {
		o.relative, o.ConfigDir = o.ConfigDir, filepath.Join(o.Dir, o.ConfigDir)
	}
	if o.StateDir != "" && !filepath.IsAbs(o.StateDir) {
		o.StateDir = filepath.Join(o.Dir, o.StateDir)
	}
	switch {
	case o.AccountHome != "":
		o.account = func() string { return o.AccountHome }
	case o.account == nil:
		o.account = sync.OnceValue(place.AccountHome)
	}
	return o.located()
}

// located returns o with new answers of what is in the project, for another
// project or event.
func (o Options) located() Options {
	o.inProject = sync.OnceValue(o.findInProject)
	return o
}

// getenv returns the value of a variable in Environ.
func (o *Options) getenv(name string) string {
	value, _ := o.lookupEnv(name)
	return value
}

func (o *Options) lookupEnv(name string) (value string, set bool) {
	for i := len(o.Environ) - 1; i >= 0; i-- {
		key, value, _ := strings.Cut(o.Environ[i], "=")
		if key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name) {
			return value, true
		}
	}
	return "", false
}

// home returns the user's home directory: HOME, or that of the account if HOME is
// in the project (D89).
func (o *Options) home() string {
	if o.inProject()[homeVariable()] {
		return o.account()
	}
	return o.getenv(homeVariable())
}

func homeVariable() string {
	if runtime.GOOS == "windows" {
		return "USERPROFILE"
	}
	return "HOME"
}

// trusted returns the value of a variable that locates the user's files; "" if it
// is ignored.
func (o *Options) trusted(name string) string {
	switch {
	case name == homeVariable():
		return o.home()
	case o.inProject()[name]:
		return ""
	}
	return o.getenv(name)
}

// roots returns the directories from which the search for the project starts.
func (o *Options) roots() []place.Candidate {
	if o.Isolated {
		dir := o.Project
		if dir == "" {
			return nil
		}
		return []place.Candidate{{Source: place.Option, Name: "--project", Dir: dir}}
	}
	variables, own := place.HostVariables(), place.Candidate{Source: place.Process, Name: "current directory", Dir: o.Dir}
	if a := agent.Find(o.Agent); a != nil {
		variables = a.Variables
		if !a.FixedDir {
			own.Source, own.Name = place.Elsewhere, "current directory (which may be another)"
		}
	}
	return place.Candidates(o.Project, variables, o.lookupEnv, o.Event, own)
}

// userHooks returns the user's hooks directory, "" if there is none, and
// warnings about the variables that locate it (D1).
func (o *Options) userHooks() (string, []string) {
	if o.Isolated {
		return "", nil
	}
	warnings := o.ignored()
	if o.ConfigDir != "" {
		user := filepath.Join(o.ConfigDir, "agents", "hooks")
		return user, append(warnings, o.configWarnings(user)...)
	}
	user, warning := place.UserHooks(o.trusted, runtime.GOOS)
	if warning != "" {
		warnings = append(warnings, warning)
	}
	name := homeVariable()
	if filepath.IsAbs(o.trusted("XDG_CONFIG_HOME")) {
		name = "XDG_CONFIG_HOME"
	}
	return user, append(warnings, o.hidden(name, user)...)
}

// configWarnings returns warnings about ConfigDir, so that a wrong one is never
// silent.
func (o *Options) configWarnings(user string) (warnings []string) {
	if o.relative != "" {
		warnings = append(warnings, fmt.Sprintf("the configuration directory %q is relative and is read as %s; write it as an absolute path", o.relative, shown.Path(o.ConfigDir)))
	}
	if !place.IsFolder(user) && !place.IsFolder(o.ConfigDir) {
		return append(warnings, fmt.Sprintf("the configuration directory %s does not exist, so the user's hooks cannot be found; create it or correct --config-dir", shown.Path(o.ConfigDir)))
	}
	return append(warnings, o.hidden("--config-dir", user)...)
}

// ignored returns warnings about the variables that would locate the user's
// files and are ignored. Agents may load them from a repository's .env, and the
// repository's author controls the files in the project (D1).
func (o *Options) ignored() (warnings []string) {
	if home := homeVariable(); o.inProject()[home] {
		warnings = append(warnings, fmt.Sprintf("%s is inside the project and is ignored; your account's home directory is %q", home, o.account()))
	}
	for _, variable := range []struct{ name, option string }{{"XDG_CONFIG_HOME", o.ConfigDir}, {"XDG_STATE_HOME", o.StateDir}} {
		if variable.option == "" && o.inProject()[variable.name] {
			warnings = append(warnings, variable.name+" is inside the project and is ignored")
		}
	}
	return warnings
}

// findInProject returns the variables that name a directory in the project.
func (o Options) findInProject() map[string]bool {
	inside := map[string]bool{}
	if o.Isolated {
		return inside
	}
	home := o.getenv(homeVariable())
	if filepath.IsAbs(home) && home != o.account() && place.HomeInside(home, o.roots(), o.account()) {
		inside[homeVariable()], home = true, o.account()
	}
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		if value := o.getenv(name); filepath.IsAbs(value) {
			inside[name] = place.Inside(value, o.roots(), home)
		}
	}
	return inside
}

// Directories returns the user's hooks directory, and the directory of the run
// log and the reviewed copies; "" if a directory cannot be determined. The
// warnings list the ignored variables, one line each.
func (o Options) Directories() (hooks, state string, warnings []string) {
	o = o.complete()
	hooks, warnings = o.userHooks()
	return hooks, o.stateDir(), warnings
}

// Places returns the absolute paths of the directories of hooks that Load
// reads, or would read if they existed.
func (o Options) Places() []string {
	o = o.complete()
	dirs := place.Places(o.roots(), o.home())
	if user, _ := o.userHooks(); user != "" {
		dirs = append(dirs, user)
	}
	return dirs
}

// hidden warns if user, the hooks directory that the setting called name locates,
// does not exist although the user has hooks below HOME or below the account's
// home directory. A variable set by an agent or a repository must not disable them
// silently.
func (o *Options) hidden(name, user string) []string {
	looked, exists := false, false
	for _, home := range []string{o.home(), o.account()} {
		usual := filepath.Join(home, ".config", "agents", "hooks")
		if user == "" || user == usual || !filepath.IsAbs(home) {
			continue
		}
		if !looked {
			looked, exists = true, place.IsFolder(user)
		}
		if !exists && place.IsFolder(usual) {
			return []string{fmt.Sprintf("%s names %s, which does not exist; the hooks in %s do not run", name, user, usual)}
		}
	}
	return nil
}

// stateDir returns the directory of the run log and the reviewed copies; "" if
// there is none.
func (o *Options) stateDir() string {
	if o.StateDir != "" {
		return filepath.Join(o.StateDir, "agent-hooks")
	}
	if o.inProject()["XDG_STATE_HOME"] {
		return place.DefaultStateDir(o.home(), runtime.GOOS)
	}
	return place.StateDir(o.trusted)
}
