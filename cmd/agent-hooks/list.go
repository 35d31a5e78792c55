package main

import (
	"fmt"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/explain"
	"github.com/agent-hooks/agent-hooks/spec"
)

type listFlags struct{ readFlags }

// listRow is one hook in the trigger table.
type listRow struct {
	Event      spec.EventType  `json:"event"` // "" if the trigger cannot be read
	Order      int             `json:"order"` // from 1; 0 if it does not run
	Hook       string          `json:"hook"`
	Scope      discovery.Scope `json:"scope"`
	File       string          `json:"file"`
	Tool       string          `json:"tool,omitempty"`
	Pattern    string          `json:"pattern,omitempty"`
	Timeout    *int64          `json:"timeout_ms"` // nil, like Priority, if the HOOK.md could not be read
	Mode       string          `json:"mode"`       // sync or async; "" in that case, like OnFailure
	Priority   *int            `json:"priority"`
	OnFailure  string          `json:"on_failure"`
	Pure       bool            `json:"pure,omitempty"`    // it may run concurrently with adjacent pure hooks (D73)
	Observe    bool            `json:"observe,omitempty"` // it runs without effect (D76)
	State      discovery.State `json:"state"`
	Cause      string          `json:"cause,omitempty"`
	Failure    string          `json:"failure,omitempty"`    // why it cannot run although it is active: a failure on its event
	Configured []string        `json:"configured,omitempty"` // settings of a hooks.toml, with their places
	Notice     string          `json:"notice,omitempty"`     // a notice about a hook that runs
	Extension  bool            `json:"extension,omitempty"`  // Event is an extension event
	Errors     []string        `json:"errors,omitempty"`     // in its HOOK.md, although it runs
}

func (flags listFlags) execute(env *Env, _ []string) (int, error) {
	hooks := env.load(flags.projectFlags, nil)
	env.warnHooks(hooks)
	rows := listRows(hooks, env.Getenv("PATH"))
	if flags.json {
		return spec.ExitContinue, env.printJSON(rows)
	}
	if err := env.printList(rows); err != nil {
		return 0, err
	}
	if len(rows) > 0 && !env.called() {
		env.note("no agent calls these hooks yet: agent-hooks doctor")
	}
	return spec.ExitContinue, nil
}

// listRows lists the hooks in running order, and gives the reason for those that cannot run.
// path is the PATH variable.
func listRows(hooks *agenthooks.Hooks, path string) []listRow {
	rows := []listRow{}
	add := func(event spec.EventType) {
		order := 0
		for _, h := range hooks.Table[event] {
			row := newListRow(event, h)
			if h.State != discovery.Disabled {
				row.Configured = hooks.Configured(h)
			}
			if h.State == discovery.Active {
				if err := h.Runnable(path); err != nil {
					row.Failure = err.Error()
				} else {
					order++
					row.Order = order
				}
			}
			rows = append(rows, row)
		}
	}
	for _, info := range spec.Events() {
		add(info.Event)
	}
	add("")
	return rows
}

// newListRow returns the row for a hook. Fields are empty if the HOOK.md could not be read.
func newListRow(event spec.EventType, h *discovery.Hook) listRow {
	row := listRow{
		Event: event, Hook: h.Shown(), Scope: h.Scope, File: h.File, Tool: h.Tool, Pattern: h.Pattern, State: h.State, Cause: h.Cause, Notice: h.Notice,
	}
	if info, ok := spec.Info(event); ok {
		row.Extension = info.Extension
	}
	if row.Notice == "" && h.State == discovery.Active && h.Unchecked() {
		row.Notice = fmt.Sprintf("has more than %d files; a run checks only the first %[1]d for who can change them", discovery.MaxChecked)
	}
	if h.Timeout == 0 {
		return row
	}
	timeout, priority := h.Timeout.Milliseconds(), h.Priority
	row.Errors = explain.Errors(h)
	row.Timeout, row.Priority, row.Mode, row.OnFailure = &timeout, &priority, "sync", string(h.OnFailure)
	row.Pure, row.Observe = h.Pure && !h.Async, h.Observe
	if h.Async {
		row.Mode = "async"
	}
	return row
}
