package place

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// Request contains what locates the files of a user (D1, D89).
type Request struct {
	Search    *Search             // where the search for the project may start
	Own       bool                // the host's variables in it are those of the calling agent
	Getenv    func(string) string // the caller's environment
	Account   func() string       // the home directory in the account database
	ConfigDir string              // absolute; replaces $XDG_CONFIG_HOME; "" if it is not given
	StateDir  string              // absolute; replaces $XDG_STATE_HOME; "" if it is not given
	Relative  string              // ConfigDir as it was given, if it was relative
}

// Directories are the directories of a user. A directory is "" if it cannot be
// determined.
type Directories struct {
	Home     string   // HOME, or that of the account if HOME is in the project
	Hooks    string   // the user's hooks
	State    string   // the run log and the reviewed copies
	Warnings []string // single lines, about ignored variables and hooks that are not found
}

// Locate determines the directories of a user. Agents may load variables from a
// repository's .env, and its author controls the files in the project. So a
// variable that names a directory there is ignored, with a warning; so is a
// relative HOME.
func Locate(r Request) Directories {
	variable := HomeVariable()
	d := Directories{Home: r.Getenv(variable)}
	if why := r.ignoredHome(d.Home); why != "" {
		d.Home = r.Account()
		d.warnf("%s is %s and is ignored; your account's home directory is %q", variable, why, d.Home)
	}
	ignored := func(name string) bool {
		value := r.Getenv(name)
		return filepath.IsAbs(value) && r.Search.Inside(value, d.Home, r.Own)
	}
	configIgnored, stateIgnored := ignored("XDG_CONFIG_HOME"), ignored("XDG_STATE_HOME")
	if configIgnored && r.ConfigDir == "" {
		d.warnf("XDG_CONFIG_HOME is inside the project and is ignored")
	}
	if stateIgnored && r.StateDir == "" {
		d.warnf("XDG_STATE_HOME is inside the project and is ignored")
	}
	getenv := func(name string) string {
		switch {
		case name == variable:
			return d.Home
		case name == "XDG_CONFIG_HOME" && configIgnored:
			return ""
		}
		return r.Getenv(name)
	}
	d.locateHooks(r, getenv)
	switch {
	case r.StateDir != "":
		d.State = filepath.Join(r.StateDir, "agent-hooks")
	case stateIgnored:
		d.State = defaultStateDir(d.Home)
	default:
		d.State = StateDir(getenv)
	}
	return d
}

// ignoredHome returns why a HOME is not used; "" if it is. Whoever wrote the project
// may have chosen one in it, and a relative one is in the working directory.
func (r *Request) ignoredHome(home string) string {
	switch {
	case home == "" || home == r.Account():
		return ""
	case !filepath.IsAbs(home):
		return "not an absolute path"
	case r.Search.Inside(home, r.Account(), r.Own) && !r.startsAt(home):
		return "inside the project"
	}
	return ""
}

// startsAt reports whether home is only where a search starts, not a repository or a
// folder with .agents: a shell begins there.
func (r *Request) startsAt(home string) bool {
	home = r.Search.Physical(home)
	_, err := os.Lstat(filepath.Join(home, ".agents"))
	return err != nil && r.Search.mark(home) == gitNone && slices.Contains(r.Search.around(r.Account(), r.Search.naming(r.Own)), home)
}

func (d *Directories) warnf(format string, args ...any) {
	d.Warnings = append(d.Warnings, fmt.Sprintf(format, args...))
}

// locateHooks sets Hooks. A wrong --config-dir is never silent.
func (d *Directories) locateHooks(r Request, getenv func(string) string) {
	if r.ConfigDir == "" {
		hooks, warning := UserHooks(getenv)
		d.Hooks = hooks
		if warning != "" {
			d.warnf("%s", warning)
		}
		name := HomeVariable()
		if filepath.IsAbs(getenv("XDG_CONFIG_HOME")) {
			name = "XDG_CONFIG_HOME"
		}
		d.warnHidden(name, r.Account())
		return
	}
	d.Hooks = filepath.Join(r.ConfigDir, "agents", "hooks")
	if r.Relative != "" {
		d.warnf("the configuration directory %q is relative and is read as %s; write it as an absolute path", r.Relative, shown.Path(r.ConfigDir))
	}
	if !paths.IsFolder(d.Hooks) && !paths.IsFolder(r.ConfigDir) {
		d.warnf("the configuration directory %s does not exist, so the user's hooks cannot be found; create it or correct --config-dir", shown.Path(r.ConfigDir))
		return
	}
	d.warnHidden("--config-dir", r.Account())
}

// warnHidden warns if Hooks, which the setting called name locates, does not
// exist although the user has hooks below HOME or below the account's home
// directory. A variable set by an agent or a repository must not disable them
// silently.
func (d *Directories) warnHidden(name, account string) {
	looked, exists := false, false
	for _, home := range []string{d.Home, account} {
		usual := filepath.Join(home, ".config", "agents", "hooks")
		if d.Hooks == "" || d.Hooks == usual || !filepath.IsAbs(home) {
			continue
		}
		if !looked {
			looked, exists = true, paths.IsFolder(d.Hooks)
		}
		if !exists && paths.IsFolder(usual) {
			d.warnf("%s names %s, which does not exist; the hooks in %s do not run", name, d.Hooks, usual)
			return
		}
	}
}
