package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
)

const (
	configDirUsage = "read the user's hooks from `DIR`/agents/hooks instead of XDG_CONFIG_HOME"
	stateDirUsage  = "keep the run log and the reviewed copies in `DIR`/agent-hooks instead of XDG_STATE_HOME"
)

// declareDirectories declares the flags of all commands that read hooks or
// state, for help and completion.
func declareDirectories(fs *flag.FlagSet) {
	fs.String("config-dir", "", configDirUsage)
	fs.String("state-dir", "", stateDirUsage)
}

// takeDirectories removes --config-dir and --state-dir (D1) from a command's arguments and
// stores their values.
func (env *Env) takeDirectories(command string, args []string) (rest []string, err error) {
	for i := 0; i < len(args); i++ {
		name, value, given := strings.Cut(args[i], "=")
		to := env.directory(name)
		switch {
		case args[i] == "--":
			return append(rest, args[i:]...), nil
		case to == nil:
			rest = append(rest, args[i])
			continue
		case !given && i+1 == len(args):
			return nil, usagef("agent-hooks help "+command, "%s: %s needs a directory", command, name)
		case !given:
			i++
			value = args[i]
		}
		if strings.TrimSpace(value) == "" {
			return nil, usagef("agent-hooks help "+command, "%s: %s names no directory", command, name)
		}
		if !filepath.IsAbs(value) {
			value = filepath.Join(env.Dir, value)
		}
		*to = filepath.Clean(value)
	}
	return rest, nil
}

// directory returns the variable for the value of a flag; nil for other flags.
func (env *Env) directory(word string) *string {
	name := strings.TrimPrefix(word, "-")
	switch {
	case name == word:
		return nil
	case strings.TrimPrefix(name, "-") == "config-dir":
		return &env.configDir
	case strings.TrimPrefix(name, "-") == "state-dir":
		return &env.stateDir
	}
	return nil
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
