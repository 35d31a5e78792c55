package place

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// UserHooks returns the user's hooks directory for the given environment (D1):
// $XDG_CONFIG_HOME/agents/hooks, otherwise ~/.config/agents/hooks, on all
// systems. The home directory is HOME, on Windows USERPROFILE. The warning is ""
// or the reason why a variable was ignored. dir is "" if there is no user scope.
//
// adrg/xdg is not used, because its configuration home is different on macOS
// and Windows.
func UserHooks(getenv func(string) string) (dir, warning string) {
	config := getenv("XDG_CONFIG_HOME")
	if filepath.IsAbs(config) {
		return filepath.Join(config, "agents", "hooks"), ""
	}
	if config != "" {
		warning = "XDG_CONFIG_HOME is not an absolute path and is ignored"
	}
	variable := HomeVariable()
	home := getenv(variable)
	if !filepath.IsAbs(home) {
		return "", variable + " is not set to an absolute path, so the user's hooks cannot be found"
	}
	return filepath.Join(home, ".config", "agents", "hooks"), warning
}

// HomeVariable is the name of the variable that names the user's home directory.
func HomeVariable() string {
	if runtime.GOOS == "windows" {
		return "USERPROFILE"
	}
	return "HOME"
}

// StateDir returns the directory for agent-hooks' own state: agent-hooks below
// $XDG_STATE_HOME or its default. It is "" if HOME is not set, and if the home
// does not exist, which is not created.
func StateDir(getenv func(string) string) string {
	variable := HomeVariable()
	home, state := getenv(variable), getenv("XDG_STATE_HOME")
	switch {
	case filepath.IsAbs(state):
		return filepath.Join(state, "agent-hooks")
	case !filepath.IsAbs(home) || !paths.IsFolder(home):
		return ""
	case home == os.Getenv(variable): // of this process
		if state := stateHome(); filepath.IsAbs(state) {
			return filepath.Join(state, "agent-hooks")
		}
	}
	return defaultStateDir(home)
}

// defaultStateDir is StateDir without $XDG_STATE_HOME, below home.
func defaultStateDir(home string) string {
	if !filepath.IsAbs(home) {
		return ""
	}
	switch runtime.GOOS {
	case "windows":
		return filepath.Join(home, "AppData", "Local", "agent-hooks")
	case "darwin":
		return filepath.Join(home, "Library", "Application Support", "agent-hooks")
	}
	return filepath.Join(home, ".local", "state", "agent-hooks")
}
