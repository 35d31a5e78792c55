package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/atomicfile"
	"github.com/agent-hooks/agent-hooks/internal/author/trial"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Input is an event to replay.
type Input struct {
	Name string // for messages and results
	Path string // the file; "" if Text is the event
	Text []byte
}

// maxEvent limits the size of an event in a file.
const maxEvent = 16 << 20

// Result is the result of replaying one event. The fields after Skipped are set only if it was
// not skipped.
type Result struct {
	File    string // the name of its input
	Skipped string // why it could not be replayed; "" if it was
	Trigger spec.EventType
	Event   []byte             // as it was read
	Report  *agenthooks.Report // of the hooks that ran
	Async   []string           // hooks that were skipped
	Hooks   []string           // the names of all hooks of its project, on any trigger

	Warnings []string
}

// worker replays events one after another, in its own scratch directory.
type worker struct {
	Options
	scratch  *trial.Scratch // nil: in place
	projects map[string]project
}

// project contains the hooks of a project.
type project struct {
	hooks    *agenthooks.Hooks
	names    []string
	warnings []string
}

// replay replays one event.
func (w *worker) replay(ctx context.Context, input Input) Result {
	result := Result{File: input.Name}
	skip := func(err error) Result {
		result.Skipped = err.Error()
		return result
	}
	text := input.Text
	if input.Path != "" {
		read, _, err := atomicfile.Read(input.Path, maxEvent)
		if err != nil {
			return skip(fmt.Errorf("it cannot be read: %w", err))
		}
		if text = read; len(text) > maxEvent {
			return skip(errors.New("it cannot be read: above 16 MiB"))
		}
	}
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte(rawjson.ByteOrderMark)))
	trigger, err := w.triggerOf(text)
	if err != nil {
		return skip(err)
	}
	result.Trigger, result.Event = trigger, text
	event, unclear := protocol.ParseEvent(trigger, text, time.Now().UTC().Format(time.RFC3339))
	p, err := w.project(event)
	if err != nil {
		return skip(err)
	}
	result.Hooks = p.names
	for _, warning := range unclear {
		result.Warnings = append(result.Warnings, input.Name+": "+warning)
	}
	result.Warnings = append(result.Warnings, p.warnings...)
	w.runEvent(ctx, &result, p.hooks, event)
	return result
}

// triggerOf determines the type of an event.
func (w *worker) triggerOf(text []byte) (spec.EventType, error) {
	var e struct {
		Old  int    `json:"agent_hooks_record"`
		Type string `json:"event_type"`
	}
	var kind *json.UnmarshalTypeError
	switch err := json.Unmarshal(text, &e); {
	case errors.As(err, &kind) && kind.Field == "":
		return "", fmt.Errorf("not a JSON object: it is an %s", kind.Value)
	case err != nil && kind == nil:
		return "", errors.New("not a JSON object")
	case e.Old > 0:
		return "", errors.New("an earlier version recorded it, without its secrets")
	case spec.EventType(e.Type).Valid():
		return spec.EventType(e.Type), nil
	case w.Event != "":
		return w.Event, nil
	}
	return "", fmt.Errorf("its event_type is not an event; --event EVENT sets one")
}

// project loads the hooks of an event's project: --project, otherwise that of the directory that it
// names, otherwise the caller's.
func (w *worker) project(event *protocol.Event) (project, error) {
	root := w.Project
	for _, source := range event.WorkDirs {
		if root == "" && filepath.IsAbs(source.Dir) {
			root = source.Dir
		}
	}
	if p, ok := w.projects[root]; ok {
		return p, nil
	}
	var warnings []string
	where := root
	if root != "" {
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			if w.scratch == nil {
				return project{}, fmt.Errorf("its directory %s is gone", root)
			}
			warnings = append(warnings, fmt.Sprintf("the directory %s is gone; only your own hooks run on its events", root))
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
	p := project{hooks: l, names: Names(l.Table), warnings: warnings}
	w.projects[root] = p
	return p, nil
}

// Names returns the names of hooks, sorted.
func Names(table discovery.Table) (names []string) {
	for _, hooks := range table {
		for _, h := range hooks {
			names = append(names, h.Shown())
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// runEvent plans the event as it is, and runs the plan in the scratch directory: paths in the
// project or the home are replaced by paths there.
func (w *worker) runEvent(ctx context.Context, result *Result, hooks *agenthooks.Hooks, event *protocol.Event) {
	alone := *hooks
	alone.Warnings, alone.Diagnostics = nil, nil
	root := alone.Project.Root
	if w.scratch != nil {
		alone.Project = agenthooks.Project{Root: w.scratch.Work}
	}
	plan := alone.Plan(event)
	if w.scratch != nil {
		w.scratch.Move(plan, w.Home, root)
	}
	plan.Rows = slices.DeleteFunc(plan.Rows, func(row *agenthooks.Row) bool {
		if w.Hook != "" && row.Hook.Shown() != w.Hook && row.Hook.Folder != w.Hook {
			return true
		}
		if row.Hook.Async && (row.Runs || row.Failure != nil) {
			result.Async = append(result.Async, row.Hook.Shown())
		}
		return row.Hook.Async
	})
	result.Report = plan.Run(ctx, agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express})
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
