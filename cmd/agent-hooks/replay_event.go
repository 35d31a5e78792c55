package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/record"
	"github.com/agent-hooks/agent-hooks/internal/trial"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// replayed is the result of one event.
type replayed struct {
	index    int
	file     string
	skipped  string // why it could not be replayed; ""
	record   *record.Record
	trigger  spec.EventType
	tool     string
	text     string
	report   *agenthooks.Report // of the hooks that ran
	async    []string           // hooks that were skipped
	hooks    []string           // names of all hooks of its project, on any trigger
	warnings []string

	projectGone bool // and its hooks, too
}

// replayer replays events one after another, in its own scratch directory.
type replayer struct {
	*replaying
	scratch  *trial.Scratch // nil: in place
	projects map[string]replayProject
}

// replayProject contains the current hooks of a project.
type replayProject struct {
	hooks    *agenthooks.Hooks
	names    []string
	warnings []string
	gone     bool // hooks are only the user's
}

// atHome loads the hooks of the caller's current project, and searches for the selected hook.
func (r *replaying) atHome() (*agenthooks.Hooks, error) {
	hooks := r.env.load(r.flags.projectFlags, nil)
	r.env.warnAll(hooks.Warnings)
	return hooks, nil
}

// replay1 replays one event.
func (w *replayer) replay1(ctx context.Context, name string) replayed {
	result := replayed{file: name}
	skip := func(format string, args ...any) replayed {
		result.skipped = fmt.Sprintf(format, args...)
		return result
	}
	text, err := record.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		return skip("it cannot be read: %v", err)
	}
	kept, foreign, err := record.Decode(text)
	switch {
	case foreign:
		result.trigger, err = w.triggerOf(text)
	case err == nil && kept.LeftOut != "":
		err = fmt.Errorf("the event was left out of the record: %s", kept.LeftOut)
	case err == nil:
		result.record, result.trigger, text = kept, kept.Trigger, kept.Event
	}
	if err != nil {
		return skip("%v", err)
	}
	result.tool, result.text = describeEvent(text)
	project, err := w.project(kept)
	if err != nil {
		return skip("%v", err)
	}
	result.hooks, result.warnings, result.projectGone = project.names, project.warnings, project.gone
	w.runEvent(ctx, &result, project.hooks, text)
	return result
}

// triggerOf determines the type of an event that was not recorded by run.
func (w *replayer) triggerOf(text []byte) (spec.EventType, error) {
	var e struct {
		Type string `json:"event_type"`
	}
	_ = json.Unmarshal(text, &e) // another type is not a name of an event
	switch {
	case spec.EventType(e.Type).Valid():
		return spec.EventType(e.Type), nil
	case w.flags.event != "":
		return spec.EventType(w.flags.event), nil
	}
	return "", fmt.Errorf("it has no event_type that is an event's name; --event EVENT says what it is")
}

// project loads the current hooks of an event's project: --project, otherwise the recorded
// project, otherwise the caller's.
func (w *replayer) project(kept *record.Record) (replayProject, error) {
	root := w.absoluteProject()
	if root == "" && kept != nil {
		root = kept.Project
	}
	if p, ok := w.projects[root]; ok {
		return p, nil
	}
	where := w.flags.projectFlags
	var warnings []string
	gone := false
	if root != "" {
		where.project = root
		if !isFolder(root) {
			if w.scratch == nil {
				return replayProject{}, fmt.Errorf("its project %s is gone", root)
			}
			gone = true
			warnings = append(warnings, fmt.Sprintf("the project %s is gone; of its events only your own hooks are asked", root))
			where.project = w.scratch.Work
		}
	}
	l := w.env.load(where, nil)
	if w.scratch != nil {
		l = l.WithEnviron(w.scratch.Environ(w.env.Environ))
	}
	warnings = append(warnings, l.Warnings...)
	for _, d := range l.Diagnostics {
		if d.Severity == spec.Error {
			warnings = append(warnings, d.String())
		}
	}
	p := replayProject{hooks: l, names: namesOf(l.Table), warnings: warnings, gone: gone}
	w.projects[root] = p
	return p, nil
}

func namesOf(table discovery.Table) (names []string) {
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
func (w *replayer) runEvent(ctx context.Context, result *replayed, hooks *agenthooks.Hooks, text []byte) {
	event := w.parse(result, text)
	alone := *hooks
	alone.Warnings, alone.Diagnostics = nil, nil
	root := alone.Project.Root
	if w.scratch != nil {
		alone.Project = discovery.Project{Root: w.scratch.Work}
	}
	plan := alone.Plan(event)
	if w.scratch != nil {
		from := []string{root}
		if result.record != nil {
			from = []string{result.record.Project, root}
		}
		here := place{w.scratch, w.env.home()}
		moves := here.moves(event, from...)
		plan.Event = w.parse(result, record.Relocate(text, moves)).WithWorkDir(w.scratch.Work)
		plan.WorkDir = here.workDir(event, moves)
	}
	plan.Rows = slices.DeleteFunc(plan.Rows, func(row *agenthooks.Row) bool {
		if w.flags.hook != "" && !isNamed(row.Hook, w.flags.hook) {
			return true
		}
		if row.Hook.Async && (row.Runs || row.Failure != nil) {
			result.async = append(result.async, nameOf(row.Hook))
		}
		return row.Hook.Async
	})
	result.report = plan.Run(ctx, agenthooks.RunOptions{})
	if w.scratch != nil {
		for _, h := range result.report.Hooks {
			if shims := trial.Shims(w.env.Environ, h); shims != "" {
				result.warnings = append(result.warnings, shims)
			}
		}
		if err := w.scratch.Empty(); err != nil && ctx.Err() == nil {
			result.warnings = append(result.warnings, fmt.Sprintf("what a hook left behind cannot be removed: %v", err))
		}
	}
}

func isNamed(h *discovery.Hook, name string) bool { return nameOf(h) == name || h.Folder == name }

func (w *replayer) parse(result *replayed, text []byte) *protocol.Event {
	now := time.Now()
	if result.record != nil {
		now = result.record.Time
	}
	event, _ := protocol.ParseEvent(result.trigger, text, now.UTC().Format(time.RFC3339))
	return event
}
