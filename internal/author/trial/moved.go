package trial

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
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
	r := run(ctx, scratch.Hooks(environ), hook, event, agenthooks.RunOptions{}, func(plan *agenthooks.Plan) {
		moves := scratch.Moves(event, home, root)
		var text bytes.Buffer
		_, _ = event.WriteTo(&text) // writes to a buffer do not fail
		moved, _ := protocol.ParseEvent(event.Type, Relocate(text.Bytes(), moves), event.Timestamp)
		plan.Event, plan.WorkDir = moved.WithWorkDir(scratch.Work), scratch.WorkDir(event, moves)
	})
	if shims := Shims(environ, r.Hook()); shims != "" {
		r.Report.Warnings = append(r.Report.Warnings, shims)
	}
	return r, nil
}

// Moves returns where the directories in the event, the project's roots and the user's home are
// in the scratch directory.
func (s *Scratch) Moves(event *protocol.Event, home string, roots ...string) []Move {
	var moves []Move
	add := func(from, to string) {
		if from != "" && filepath.IsAbs(from) {
			moves = append(moves, Move{From: filepath.Clean(from), To: to})
		}
	}
	for _, root := range roots {
		add(root, s.Work)
	}
	add(home, s.Home)
	for _, named := range append(event.WorkDirs, event.Roots...) {
		if filepath.IsAbs(named.Dir) && MovePaths(named.Dir, moves) == named.Dir {
			add(named.Dir, s.Work)
		}
	}
	return moves
}

// WorkDir creates the directory in which the hooks of a moved event run.
func (s *Scratch) WorkDir(event *protocol.Event, moves []Move) string {
	for _, named := range event.WorkDirs {
		dir := MovePaths(named.Dir, moves)
		for _, here := range []string{s.Work, s.Home} {
			if rel, err := filepath.Rel(here, dir); err == nil && filepath.IsLocal(rel) && os.MkdirAll(dir, 0o700) == nil {
				return dir
			}
		}
	}
	return s.Work
}
