package trial

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/protocol"
)

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
		to := MovePaths(named.Dir, moves)
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
		if MovePaths(named.Dir, moves) == named.Dir {
			add(named.Dir, s.Work)
		}
	}
	return moves
}
