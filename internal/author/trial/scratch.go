package trial

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/agents"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/state"
)

// Scratch is a temporary directory in which a hook runs without access to the user's files by
// the usual paths. Its directories exist and are empty.
type Scratch struct {
	Work string // the work dir and the project's root, absolute, without links in the path
	Home string
	temp string
	root string
}

// NewScratch creates a Scratch in the system's directory for temporary files. The caller must
// call Remove.
func NewScratch() (*Scratch, error) {
	root, err := os.MkdirTemp("", "agent-hooks-")
	if err != nil {
		return nil, err
	}
	if real, err := paths.Real(root); err == nil {
		root = real
	}
	s := &Scratch{Work: filepath.Join(root, "work"), Home: filepath.Join(root, "home"), temp: filepath.Join(root, "tmp"), root: root}
	for _, dir := range []string{s.Work, s.Home, s.temp} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, errors.Join(err, s.Remove())
		}
	}
	return s, nil
}

// Remove removes the Scratch and everything in it.
func (s *Scratch) Remove() error { return state.Discard(s.root) }

// Empty removes all files for the next run. The environment stays the same.
func (s *Scratch) Empty() error {
	var errs []error
	for _, dir := range []string{s.Work, s.Home, s.temp} {
		if entries, err := os.ReadDir(dir); err == nil && len(entries) == 0 {
			continue
		}
		errs = append(errs, state.Discard(dir), os.Mkdir(dir, 0o700))
	}
	return errors.Join(errs...)
}

// ProgramVariable is the variable in the environment of Load that holds the
// path of the agent-hooks program (D22).
const ProgramVariable = "AGENT_HOOKS_PROGRAM"

// Load returns Hooks without hooks, with the work dir as the project. Unlike Options.Environ,
// environ, such as that of Environ, also names the agent-hooks program that hooks may call.
func (s *Scratch) Load(environ []string) *agenthooks.Hooks {
	o := agenthooks.Options{Environ: environ, Isolated: true, Scripts: agents.Script, Program: lookup(environ, ProgramVariable)}
	return agenthooks.Load(o).WithRoot(s.Work)
}

// redirected contains the variables that point to the user's files, or to the caller's project and
// repository.
var redirected = [...]string{
	"HOME", "USERPROFILE", "TMPDIR", "TMP", "TEMP",
	"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
	"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR",
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
}

// Environ returns environ, as KEY=value, without the variables in redirected, and with the home
// and temporary directories of the Scratch.
func (s *Scratch) Environ(environ []string) []string {
	var kept []string
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		if !slices.Contains(redirected[:], strings.ToUpper(name)) {
			kept = append(kept, kv)
		}
	}
	return append(kept, "HOME="+s.Home, "USERPROFILE="+s.Home, "TMPDIR="+s.temp, "TMP="+s.temp, "TEMP="+s.temp)
}
