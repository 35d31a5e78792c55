package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/trial"
	"github.com/agent-hooks/agent-hooks/internal/record"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Result is the result of replaying one event. The fields after Skipped are set only if it was
// not skipped.
type Result struct {
	File    string
	Skipped string // why it could not be replayed; "" if it was
	Trigger spec.EventType
	Event   []byte             // as recorded
	Record  *record.Record     // nil: the event was not recorded by run
	Report  *agenthooks.Report // of the hooks that ran
	Async   []string           // hooks that were skipped
	Hooks   []string           // the names of all hooks of its project, on any trigger

	Warnings    []string
	ProjectGone bool // the project no longer exists, and neither do its hooks

	index int
}

// worker replays events one after another, in its own scratch directory.
type worker struct {
	Options
	scratch  *trial.Scratch // nil: in place
	projects map[string]project
}

// project contains the current hooks of a project.
type project struct {
	hooks    *agenthooks.Hooks
	names    []string
	warnings []string
	gone     bool // hooks are only the user's
}

// replay replays one event.
func (w *worker) replay(ctx context.Context, name string) Result {
	result := Result{File: name}
	skip := func(format string, args ...any) Result {
		result.Skipped = fmt.Sprintf(format, args...)
		return result
	}
	text, err := record.ReadFile(filepath.Join(w.Dir, name))
	if err != nil {
		return skip("it cannot be read: %v", err)
	}
	kept, foreign, err := record.Decode(text)
	switch {
	case foreign:
		result.Trigger, err = w.triggerOf(text)
	case err == nil && kept.LeftOut != "":
		err = fmt.Errorf("the event was left out of the record: %s", kept.LeftOut)
	case err == nil:
		result.Record, result.Trigger, text = kept, kept.Trigger, kept.Event
	}
	if err != nil {
		return skip("%v", err)
	}
	result.Event = text
	p, err := w.project(kept)
	if err != nil {
		return skip("%v", err)
	}
	result.Hooks, result.Warnings, result.ProjectGone = p.names, p.warnings, p.gone
	w.runEvent(ctx, &result, p.hooks, text)
	return result
}

// triggerOf determines the type of an event that was not recorded by run.
func (w *worker) triggerOf(text []byte) (spec.EventType, error) {
	var e struct {
		Type string `json:"event_type"`
	}
	_ = json.Unmarshal(text, &e) // another type is not a name of an event
	switch {
	case spec.EventType(e.Type).Valid():
		return spec.EventType(e.Type), nil
	case w.Event != "":
		return w.Event, nil
	}
	return "", fmt.Errorf("its event_type is not an event; --event EVENT sets one")
}

// project loads the current hooks of an event's project: --project, otherwise the recorded
// project, otherwise the caller's.
func (w *worker) project(kept *record.Record) (project, error) {
	root := w.Project
	if root == "" && kept != nil {
		root = kept.Project
	}
	if p, ok := w.projects[root]; ok {
		return p, nil
	}
	var warnings []string
	where, gone := root, false
	if root != "" {
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			if w.scratch == nil {
				return project{}, fmt.Errorf("its project %s is gone", root)
			}
			gone = true
			warnings = append(warnings, fmt.Sprintf("the project %s is gone; only your own hooks run on its events", root))
			where = w.scratch.Work
		}
	}
	l := w.Load(where)
	if w.scratch != nil {
		l = l.WithEnviron(w.scratch.Environ(w.Environ))
	}
	warnings = append(warnings, l.Warnings...)
	for _, d := range l.Diagnostics {
		if d.Severity == spec.Error {
			warnings = append(warnings, d.String())
		}
	}
	p := project{hooks: l, names: Names(l.Table), warnings: warnings, gone: gone}
	w.projects[root] = p
	return p, nil
}

// Names returns the names of hooks, sorted.
func Names(table discovery.Table) (names []string) {
	for _, hooks := range table {
		for _, h := range hooks {
			names = append(names, nameOf(h))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// runEvent plans the event as it was recorded, and runs the plan in the scratch directory:
// paths in the project or the home are replaced by paths there.
func (w *worker) runEvent(ctx context.Context, result *Result, hooks *agenthooks.Hooks, text []byte) {
	event := w.parse(result, text)
	alone := *hooks
	alone.Warnings, alone.Diagnostics = nil, nil
	root := alone.Project.Root
	if w.scratch != nil {
		alone.Project = agenthooks.Project{Root: w.scratch.Work}
	}
	plan := alone.Plan(event)
	if w.scratch != nil {
		from := []string{root}
		if result.Record != nil {
			from = []string{result.Record.Project, root}
		}
		moves := w.scratch.Moves(event, w.Home, from...)
		plan.Event = w.parse(result, record.Relocate(text, moves)).WithWorkDir(w.scratch.Work)
		plan.WorkDir = w.scratch.WorkDir(event, moves)
	}
	plan.Rows = slices.DeleteFunc(plan.Rows, func(row *agenthooks.Row) bool {
		if w.Hook != "" && !isNamed(row.Hook, w.Hook) {
			return true
		}
		if row.Hook.Async && (row.Runs || row.Failure != nil) {
			result.Async = append(result.Async, nameOf(row.Hook))
		}
		return row.Hook.Async
	})
	result.Report = plan.Run(ctx, agenthooks.RunOptions{})
	if w.scratch != nil {
		for _, h := range result.Report.Hooks {
			if shims := trial.Shims(w.Environ, h); shims != "" {
				result.Warnings = append(result.Warnings, shims)
			}
		}
		if err := w.scratch.Empty(); err != nil && ctx.Err() == nil {
			result.Warnings = append(result.Warnings, fmt.Sprintf("files that a hook left cannot be removed: %v", err))
		}
	}
}

// nameOf returns the name of a hook in records.
func nameOf(h *discovery.Hook) string { return h.Shown() }

func isNamed(h *discovery.Hook, name string) bool { return nameOf(h) == name || h.Folder == name }

func (w *worker) parse(result *Result, text []byte) *protocol.Event {
	now := time.Now()
	if result.Record != nil {
		now = result.Record.Time
	}
	event, _ := protocol.ParseEvent(result.Trigger, text, now.UTC().Format(time.RFC3339))
	return event
}
