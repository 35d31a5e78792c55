package main

import (
	"os"
	"path/filepath"

	"github.com/agent-hooks/agent-hooks/internal/record"
	"github.com/agent-hooks/agent-hooks/internal/trial"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// place is a scratch directory for an event that was recorded elsewhere.
type place struct {
	*trial.Scratch
	home string // the user's
}

// moves returns where the directories in the event, and the project's roots, are in the scratch
// directory.
func (p place) moves(event *protocol.Event, roots ...string) []record.Move {
	var moves []record.Move
	add := func(from, to string) {
		if from != "" && filepath.IsAbs(from) {
			moves = append(moves, record.Move{From: filepath.Clean(from), To: to})
		}
	}
	for _, root := range roots {
		add(root, p.Work)
	}
	add(p.home, p.Home)
	for _, s := range append(event.WorkDirs, event.Roots...) {
		if filepath.IsAbs(s.Dir) && record.MovePaths(s.Dir, moves) == s.Dir {
			add(s.Dir, p.Work)
		}
	}
	return moves
}

// workDir creates the directory in which the event's hooks run.
func (p place) workDir(event *protocol.Event, moves []record.Move) string {
	for _, s := range event.WorkDirs {
		dir := record.MovePaths(s.Dir, moves)
		for _, here := range []string{p.Work, p.Home} {
			if rel, err := filepath.Rel(here, dir); err == nil && filepath.IsLocal(rel) && os.MkdirAll(dir, 0o700) == nil {
				return dir
			}
		}
	}
	return p.Work
}
