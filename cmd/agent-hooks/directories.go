package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
)

const (
	configDirUsage = "read the user's hooks from `DIR`/agents/hooks instead of XDG_CONFIG_HOME"
	stateDirUsage  = "keep the run log and the reviewed copies in `DIR`/agent-hooks instead of XDG_STATE_HOME"
)

// declareDirectories declares the flags of all commands that read hooks or state (D1).
func (env *Env) declareDirectories(fs *flag.FlagSet) {
	declare := func(to *string, name, usage string) {
		fs.Func(name, usage, func(dir string) error {
			if strings.TrimSpace(dir) == "" {
				return errors.New("names no directory")
			}
			*to = filepath.Clean(env.absolute(dir))
			return nil
		})
	}
	declare(&env.configDir, "config-dir", configDirUsage)
	declare(&env.stateDir, "state-dir", stateDirUsage)
}

// userHooks returns the user's hooks directory, "" if there is none.
func (env *Env) userHooks() (dir, warning string) {
	dir, _, warnings := env.options(projectFlags{}, nil).Directories()
	return dir, strings.Join(warnings, "; ")
}

// trustDir returns the directory of the reviewed copies; "" if there is none.
func (env *Env) trustDir() string {
	state := env.state()
	if state == "" {
		return ""
	}
	return filepath.Join(state, "trust")
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// state returns the directory of the run log and the reviewed copies, "" if
// there is none.
func (env *Env) state() string {
	_, state, _ := env.options(projectFlags{}, nil).Directories()
	return state
}
