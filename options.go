package agenthooks

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/script"
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
	// Agent is the calling agent.
	Agent Agent
	// Scripts returns the hook system of a metadata.protocol; nil if it is unknown.
	// Package agents has one. Without it, hooks written for another system cannot
	// run, which is a failure (D27).
	Scripts func(protocol string) script.System
	// Program is the absolute path of the agent-hooks program, which hooks may
	// call (AGENT_HOOKS_PROGRAM); "" for none.
	Program string
	// Only promises that the hooks will be used only for events of this type.
	// Load then reads only the triggers of others (D74), and compares a reviewed
	// hook with the project's folder only when the hook is about to run (D40).
	// "" means any event.
	Only spec.EventType
	// Whole, if not nil, reports whether Only does not apply after all: at the first
	// event of a session, hooks of every event that await a review are announced. It
	// is called with the project's root and the state directory.
	Whole func(root, state string) bool

	// ManagedOnly reads only the administrator's hooks (D82). Managed hooks always
	// run, whatever the other options are, unless Isolated is set.
	ManagedOnly bool
	// RequireManaged makes a directory of managed hooks that does not exist a
	// failure, which denies, on every event (D100).
	RequireManaged bool
	// TrustProject runs the project's hooks without a review, unless the user's
	// hooks.toml requires one (D40, D104). It is for programs that open only
	// projects of their user.
	TrustProject bool
	// NoConfig ignores the user's and the project's hooks.toml, including their trust setting.
	NoConfig bool
	// NoLog excludes runs from the run log.
	NoLog bool
	// Isolated ignores all of the user's files: hooks, hooks.toml, trust and run
	// log. The project is searched only from Project; without one there are no
	// hooks. It is for tests.
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
	// hooks.toml applies, and returns the hook to use instead. An editor can show
	// the last valid version of a hook that is being edited.
	Keep func(*discovery.Hook) *discovery.Hook

	// Set by complete: account returns the home directory in the account database,
	// and relative is ConfigDir as it was given, if it was relative.
	account  func() string
	relative string
}

// Agent is a calling agent, as far as Load, Plan and Run depend on it. Named of
// package agents returns the known ones. The zero Agent is an unknown one.
type Agent struct {
	Name string // for hooks (AGENT_HOOKS_AGENT) and for the run log
	// Variables are the environment variables that hold the project's directory, in
	// order of precedence (D2); nil means those of any known agent.
	Variables []string
	Sets      []string // other variables with paths that it sets for its hooks (D101)
	Elsewhere bool     // its processes may start outside the project (D2)
	Bash      bool     // it runs commands in bash (D97)
	Approves  bool     // it asks hooks for tool calls to approve them, separately (SPEC.md 4.10)
}

func (a *Agent) variables() []string {
	if a.Variables == nil {
		return place.HostVariables()
	}
	return a.Variables
}

// script returns the hook system of a metadata.protocol; nil if it is unknown.
func (o *Options) script(protocol string) script.System {
	if protocol == "" || o.Scripts == nil {
		return nil
	}
	return o.Scripts(protocol)
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
	return o
}

// located are options with the directories that they select. They are determined
// once, before anything is read.
type located struct {
	Options
	place.Directories
	managed    string // the directory of managed hooks; "" if it does not exist
	search     *place.Search
	candidates []place.Candidate // where the search for the project starts
	stamped    bool              // for a Live
}

// locate determines the directories. o is complete.
func (o Options) locate() located {
	l := located{Options: o, candidates: o.candidates()}
	l.search = place.NewSearch(l.candidates)
	if o.Isolated { // none of the user's
		l.Home = o.getenv(place.HomeVariable())
		return l
	}
	l.managed = place.ManagedHooks()
	if !o.RequireManaged && noManaged(l.managed) {
		l.managed = ""
	}
	l.Directories = place.Locate(place.Request{
		Search: l.search, Own: o.Agent.Variables != nil, Getenv: o.getenv, Account: o.account, ConfigDir: o.ConfigDir, StateDir: o.StateDir, Relative: o.relative,
	})
	return l
}

// noManaged reports whether the directory of managed hooks certainly does not exist, and nobody but
// root can have removed it (D82, D132).
func noManaged(dir string) bool {
	missing := func(path string) bool {
		_, err := os.Lstat(path)
		return errors.Is(err, fs.ErrNotExist)
	}
	above := filepath.Dir(dir)
	return missing(dir) && (missing(above) || paths.CheckRoot(above) == nil)
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

// candidates returns the directories from which the search for the project
// starts.
func (o *Options) candidates() []place.Candidate {
	if o.Isolated {
		if o.Project == "" {
			return nil
		}
		return []place.Candidate{{Kind: place.Option, Name: "--project", Dir: o.Project}}
	}
	own := place.Candidate{Kind: place.Process, Name: "current directory", Dir: o.Dir}
	if o.Agent.Elsewhere {
		own.Kind, own.Name = place.Elsewhere, "current directory (which may be another)"
	}
	return place.Candidates(o.Project, o.Agent.variables(), o.lookupEnv, o.Event, own)
}

// Directories returns the user's home directory (D1), the user's hooks directory,
// and the directory of the run log and the reviewed copies; "" if a directory
// cannot be determined. The warnings list the ignored variables, one line each.
func (o Options) Directories() (home, hooks, state string, warnings []string) {
	l := o.complete().locate()
	return l.Home, l.Hooks, l.State, l.Warnings
}

// HooksDirs returns the absolute paths of the directories of hooks that Load
// reads, or would read if they existed.
func (o Options) HooksDirs() []string {
	l := o.complete().locate()
	dirs := l.search.HooksDirs(l.Home)
	if l.managed != "" {
		dirs = append(dirs, l.managed)
	}
	if l.Hooks != "" {
		dirs = append(dirs, l.Hooks)
	}
	return dirs
}
