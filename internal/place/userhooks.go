package place

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/adrg/xdg"
)

// UserHooks returns the user's hooks directory for the given environment (D1):
// $XDG_CONFIG_HOME/agents/hooks, otherwise ~/.config/agents/hooks, on all
// systems. goos is runtime.GOOS. The home directory is HOME, on Windows
// USERPROFILE. The warning is "" or the reason why a variable was ignored. dir
// is "" if there is no user scope.
//
// adrg/xdg is not used, because its configuration home is different on macOS
// and Windows.
func UserHooks(getenv func(string) string, goos string) (dir, warning string) {
	config := getenv("XDG_CONFIG_HOME")
	if absolute(config, goos) {
		return join(goos, config, "agents", "hooks"), ""
	}
	if config != "" {
		warning = "XDG_CONFIG_HOME is not an absolute path and is ignored"
	}
	variable := homeVariable(goos)
	home := getenv(variable)
	if !absolute(home, goos) {
		return "", variable + " is not set to an absolute path, so the user's hooks cannot be found"
	}
	return join(goos, home, ".config", "agents", "hooks"), warning
}

// HomeVariable is the name of the variable that names the user's home directory.
func HomeVariable() string { return homeVariable(runtime.GOOS) }

func homeVariable(goos string) string {
	if goos == "windows" {
		return "USERPROFILE"
	}
	return "HOME"
}

// StateDir returns the directory for agent-hooks' own state: agent-hooks below
// $XDG_STATE_HOME or its default. It is "" if HOME is not set: xdg would then
// use the home in the system's user database, which a caller that clears HOME
// does not intend. It is also "" if the home does not exist, which is not
// created.
func StateDir(getenv func(string) string) string {
	variable := homeVariable(runtime.GOOS)
	home, state := getenv(variable), getenv("XDG_STATE_HOME")
	given := filepath.IsAbs(state)
	if !given && (!filepath.IsAbs(home) || !IsFolder(home)) {
		return ""
	}
	// Package xdg has read the environment of the process, which may be another.
	if home == os.Getenv(variable) && state == os.Getenv("XDG_STATE_HOME") {
		state, given = xdg.StateHome, filepath.IsAbs(xdg.StateHome)
	}
	if given {
		return filepath.Join(state, "agent-hooks")
	}
	return DefaultStateDir(home, runtime.GOOS)
}

// DefaultStateDir is StateDir without $XDG_STATE_HOME, below home.
func DefaultStateDir(home, goos string) string {
	if !absolute(home, goos) {
		return ""
	}
	switch goos {
	case "windows":
		return join(goos, home, "AppData", "Local", "agent-hooks")
	case "darwin":
		return join(goos, home, "Library", "Application Support", "agent-hooks")
	}
	return join(goos, home, ".local", "state", "agent-hooks")
}

// absolute is filepath.IsAbs for the system called goos, so that the rules of
// all systems can be tested on each.
func absolute(path, goos string) bool {
	if goos != "windows" {
		return strings.HasPrefix(path, "/")
	}
	if strings.HasPrefix(path, `\\`) || strings.HasPrefix(path, "//") {
		return true
	}
	return len(path) >= 3 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

func join(goos string, base string, names ...string) string {
	separator := "/"
	if goos == "windows" {
		separator = `\`
	}
	path := strings.TrimRight(base, "/")
	if goos == "windows" {
		path = strings.TrimRight(base, `\/`)
	}
	return path + separator + strings.Join(names, separator)
}
