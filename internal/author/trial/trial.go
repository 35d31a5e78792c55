// Package trial runs a single hook on one event, for watch, test and replay. A Scratch is a
// temporary directory for such runs, separate from the user's files.
//
// It uses the plan and the run of package agenthooks and makes no decisions of its own.
package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/agents"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// Result is the result of one hook.
type Result struct {
	Row    *agenthooks.Row    // of the plan: whether it runs, and why not
	Report *agenthooks.Report // nil: the hook is for other events
}

// Hook returns the report of the hook; nil if the hook is for other events.
func (r Result) Hook() *agenthooks.HookReport {
	if r.Report == nil {
		return nil
	}
	return r.Report.Hooks[0]
}

// Run runs only hook on event, with the project and the environment of hooks. An async hook
// runs as if it were sync, so that its result is known. The hook's Notice and Diagnostics,
// which are reported elsewhere, are not reported again. move, if not nil, changes the plan after
// the matcher has seen the event.
func Run(ctx context.Context, hooks *agenthooks.Hooks, hook *discovery.Hook, event *protocol.Event, options agenthooks.RunOptions, move func(*agenthooks.Plan) *agenthooks.Plan) Result {
	sync := *hook
	sync.Async = false
	sync.Notice, sync.Late, sync.Diagnostics = "", nil, nil
	plan := hooks.PlanOf(event, &sync)
	if len(plan.Rows) == 0 {
		return Result{Row: plan.Others()[0]}
	}
	r := Result{Row: plan.Rows[0]}
	if r.Row.Runs || r.Row.Failure != nil {
		if move != nil {
			plan = move(plan)
		}
		r.Report = plan.Run(ctx, options)
	}
	return r
}

// RunElsewhere runs a hook on an event of the project at root in a new scratch directory. The
// matcher sees the original event, the script one with paths in the scratch directory. environ
// and home are the user's.
func RunElsewhere(ctx context.Context, environ []string, home string, hook *discovery.Hook, event *protocol.Event, root string) (Result, error) {
	scratch, err := NewScratch()
	if err != nil {
		return Result{}, err
	}
	defer scratch.Remove()
	r := Run(ctx, scratch.Load(scratch.Environ(environ)), hook, event, agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express}, func(plan *agenthooks.Plan) *agenthooks.Plan { return scratch.Move(plan, home, root) })
	if shims := Shims(environ, r.Hook()); shims != "" {
		r.Report.Warnings = append(r.Report.Warnings, shims)
	}
	return r, nil
}

// Move returns the plan with its event moved to the scratch directory: the project's root, the user's home and the
// event's own directories are there, and the hooks run in the one that the event names first.
func (s *Scratch) Move(plan *agenthooks.Plan, home, root string) *agenthooks.Plan {
	event := plan.Event
	moves := s.moves(event, home, root)
	var text bytes.Buffer
	_, _ = event.WriteTo(&text) // writes to a buffer do not fail
	moved, _ := protocol.ParseEvent(event.Type, Relocate(text.Bytes(), moves), event.Timestamp)
	dir := s.Work
	for _, named := range event.WorkDirs {
		to := movePaths(named.Dir, moves)
		if (paths.Contains(s.Work, to) || paths.Contains(s.Home, to)) && os.MkdirAll(to, 0o700) == nil {
			dir = to
			break
		}
	}
	return plan.Moved(moved.WithWorkDir(s.Work), dir)
}

// moves returns where the directories of the event, the project and the user are.
func (s *Scratch) moves(event *protocol.Event, home, root string) (moves []Move) {
	add := func(from, to string) {
		if filepath.IsAbs(from) {
			moves = append(moves, Move{From: filepath.Clean(from), To: to})
		}
	}
	add(root, s.Work)
	add(home, s.Home)
	for _, named := range append(event.WorkDirs, event.Roots...) {
		if movePaths(named.Dir, moves) == named.Dir {
			add(named.Dir, s.Work)
		}
	}
	return moves
}

// Shims explains why a hook may not find a program in a Scratch: version managers put shims
// into PATH, which look for the real program below HOME. environ, as KEY=value, is the user's
// own. It returns "" if the hook's failure is not typical of shims, or PATH has none.
func Shims(environ []string, h *agenthooks.HookReport) string {
	if h == nil || h.Outcome != agenthooks.Failed || h.Status != 126 && h.Status != 127 {
		return ""
	}
	homes := []string{lookup(environ, "HOME"), lookup(environ, "USERPROFILE")}
	for _, dir := range filepath.SplitList(lookup(environ, "PATH")) {
		below := func(home string) bool {
			rel, err := filepath.Rel(home, dir)
			return home != "" && err == nil && filepath.IsLocal(rel)
		}
		if filepath.Base(dir) == "shims" && slices.ContainsFunc(homes, below) {
			return fmt.Sprintf("HOME is an empty folder here, and the shims in %s may search below it for their programs: export the variable that they use, such as PYENV_ROOT or ASDF_DATA_DIR", dir)
		}
	}
	return ""
}

// lookup returns the value of a variable. On some systems, case is ignored.
func lookup(environ []string, name string) string {
	for _, kv := range slices.Backward(environ) {
		if had, value, _ := strings.Cut(kv, "="); strings.EqualFold(had, name) {
			return value
		}
	}
	return ""
}

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
