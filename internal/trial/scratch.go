package trial

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
)

// Scratch is a temporary place in which a hook runs and finds nothing of the
// user's. The directories are there, and empty.
type Scratch struct {
	Work string // the work dir and the project's root, absolute, without links on the way
	Home string
	temp string
	root string
	lock *os.File // says that the place is in use; nil where there are no such locks
}

// NewScratch makes a Scratch below the system's directory for temporary
// files. Whoever makes it removes it.
func NewScratch() (*Scratch, error) {
	root, err := os.MkdirTemp("", prefix)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	s := &Scratch{Work: filepath.Join(root, "work"), Home: filepath.Join(root, "home"), temp: filepath.Join(root, "tmp"), root: root}
	s.lock = lock(root) // before there is anything by which it is known
	if err := os.WriteFile(filepath.Join(root, markerName), []byte(marker), 0o600); err != nil {
		return nil, errors.Join(err, s.Remove())
	}
	for _, dir := range []string{s.Work, s.Home, s.temp} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, errors.Join(err, s.Remove())
		}
	}
	return s, nil
}

// Remove removes the place and everything in it.
func (s *Scratch) Remove() error {
	err := removeAll(s.root)
	s.lock.Close() // of nil, an error that says nothing
	return err
}

func removeAll(root string) error {
	if os.RemoveAll(root) == nil {
		return nil
	}
	// Some programs leave directories that nobody may write to.
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(root)
}

// Empty makes the place as empty as it was, for the next run in it. The
// environment stays the same.
func (s *Scratch) Empty() error {
	var errs []error
	for _, dir := range []string{s.Work, s.Home, s.temp} {
		if entries, err := os.ReadDir(dir); err == nil && len(entries) == 0 {
			continue
		}
		errs = append(errs, removeAll(dir), os.Mkdir(dir, 0o700))
	}
	return errors.Join(errs...)
}

// Hooks returns the surroundings for Run: the work dir as the project, no
// hooks, and the environment of Environ.
func (s *Scratch) Hooks(environ []string) *agenthooks.Hooks {
	hooks := Load(s.Environ(environ))
	hooks.Project, hooks.Warnings = discovery.Project{Root: s.Work}, nil
	return hooks
}

// Load returns surroundings without hooks. Unlike Options.Environ, environ also
// names the agent-hooks program that hooks may call.
func Load(environ []string) *agenthooks.Hooks {
	o := agenthooks.Options{Environ: environ, Isolated: true}
	for _, kv := range environ {
		if value, ok := strings.CutPrefix(kv, agenthooks.ProgramVariable+"="); ok {
			o.Program = value
		}
	}
	return agenthooks.Load(o)
}

// led are the variables that lead to what is the user's, or to the project
// and repository that the caller happens to be in.
var led = [...]string{
	"HOME", "USERPROFILE", "TMPDIR", "TMP", "TEMP",
	"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
	"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR",
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
}

// Environ returns environ, KEY=value, with what leads to the user's files
// leading into the place instead.
func (s *Scratch) Environ(environ []string) []string {
	var kept []string
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		if !slices.Contains(led[:], strings.ToUpper(name)) {
			kept = append(kept, kv)
		}
	}
	return append(kept, "HOME="+s.Home, "USERPROFILE="+s.Home, "TMPDIR="+s.temp, "TMP="+s.temp, "TEMP="+s.temp)
}
