// Package install adds hooks to coding agents: it locates each agent's
// settings, writes the entries that call agent-hooks, removes them, and checks
// that they work (D49, D50). It prints nothing and does not read the
// environment: the caller passes a System.
package install

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
	"github.com/agent-hooks/agent-hooks/spec"
)

// System describes the machine and the user for which hooks are installed.
type System struct {
	Home     string // "" if unknown
	Project  string // root of the current project
	GOOS     string
	Getenv   func(string) string
	LookPath func(program string) (string, error)
	// VersionOf runs a program to determine its version; "" if that fails.
	VersionOf func(ctx context.Context, program string) string
	StateDir  string   // where records are kept
	ConfigDir string   // for --config-dir
	StateHome string   // for --state-dir
	Running   string   // the path of this program; "" if unknown
	DataDir   string   // where a copy of the program is kept; "" if unknown
	Temporary []string // directories that are cleared at some time
	Hint      string   // how the project says to install the program; "" if it does not

	parsed *settings.Cache // of the settings files that are read; nil for none
}

// Caching returns the same system, which parses each text of a settings file once (D134). It is not safe for concurrent use.
func (s System) Caching() System {
	s.parsed = &settings.Cache{}
	return s
}

// Options select what to install.
type Options struct {
	Scope       string // "user" or "project"
	Program     string // absolute path
	Ask, Modify string
	FailClosed  bool
	// RequireHooks makes managed entries deny if there is no folder of managed hooks (D100).
	RequireHooks bool
	Used         map[spec.EventType]bool // extension events that a hook uses
}

// Expand returns the absolute path of a settings file. The environment variable home may replace its
// first directory.
func (s System) Expand(path, home string) string {
	path = filepath.FromSlash(agent.On(s.GOOS, path))
	switch rest, ok := strings.CutPrefix(path, "~"+string(filepath.Separator)); {
	case ok:
		below, inConfig := strings.CutPrefix(rest, ".config"+string(filepath.Separator))
		if dir := s.replaced(home); dir != "" {
			_, rest, _ = strings.Cut(below, string(filepath.Separator))
			return filepath.Join(dir, rest)
		}
		if config := s.Getenv("XDG_CONFIG_HOME"); inConfig && s.GOOS != "windows" && filepath.IsAbs(config) {
			return filepath.Join(config, below)
		}
		return filepath.Join(s.Home, rest)
	case filepath.IsAbs(path):
		return path
	}
	return filepath.Join(s.Project, path)
}

// replaced returns the directory in an agent's own variable; "" if there is none.
func (s System) replaced(home string) string {
	if home == "" || !filepath.IsAbs(s.Getenv(home)) {
		return ""
	}
	return filepath.Clean(s.Getenv(home))
}

// used reports whether the agent uses a place.
func (s System) used(p Place) bool {
	return p.When == nil || p.When(func(path string) any { return s.decoded(path, p.Home) })
}

// Found describes how an agent was detected on this machine.
type Found struct {
	Program string `json:"program,omitempty"` // path
	Version string `json:"version,omitempty"`
	Folder  string `json:"folder,omitempty"` // of its settings
}

// Here reports whether the agent is installed.
func (f Found) Here() bool { return f.Program != "" || f.Folder != "" }

// Locate finds an agent's program and settings folder.
func (s System) Locate(c *Client) Found {
	var f Found
	for _, name := range c.Programs {
		if path, err := s.LookPath(name); err == nil {
			f.Program = path
			break
		}
	}
	for _, folder := range c.Folders {
		home := ""
		if i := slices.IndexFunc(c.Places, func(p Place) bool { return strings.HasPrefix(p.Path, folder+"/") }); i >= 0 {
			home = c.Places[i].Home
		}
		path := s.Expand(folder, home)
		if info, err := os.Stat(path); err == nil && info.IsDir() && (s.Home != "" || filepath.IsAbs(path)) {
			f.Folder = path
			break
		}
	}
	return f
}

// shellOf returns the shell that runs command lines on this system.
func (s System) shellOf(c *Client) shell {
	if s.GOOS == "windows" {
		return shell(c.Windows)
	}
	return posix
}
