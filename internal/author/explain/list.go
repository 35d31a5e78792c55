package explain

import (
	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Listed is one hook in the trigger table.
type Listed struct {
	Event      spec.EventType  `json:"event"`          // "" if the trigger cannot be read
	Order      int             `json:"order"`          // from 1; 0 if it does not run
	Hook       string          `json:"hook"`           // the name of its folder
	Name       string          `json:"name,omitempty"` // the name in its HOOK.md, if it differs
	Scope      discovery.Scope `json:"scope"`
	File       string          `json:"file"`
	Tool       string          `json:"tool,omitempty"`
	Pattern    string          `json:"pattern,omitempty"`
	Match      string          `json:"match,omitempty"`     // what the pattern is searched in, if not in the values (D78)
	Access     string          `json:"access,omitempty"`    // which paths count (D95); "" for all, under every name
	Answer     *ListedAnswer   `json:"answer,omitempty"`    // its constant answer (D77); nil if it has a script
	Undecided  string          `json:"undecided,omitempty"` // "pass", if what cannot be decided passes (D94)
	Unless     []string        `json:"unless,omitempty"`    // exceptions in its HOOK.md and the user's hooks.toml
	Timeout    *int64          `json:"timeout_ms"`          // nil, like Priority, if the HOOK.md could not be read
	Mode       string          `json:"mode"`                // sync or async; "" in that case, like OnFailure
	Priority   *int            `json:"priority"`
	OnFailure  string          `json:"on_failure"`
	Pure       bool            `json:"pure,omitempty"`    // it may run concurrently with adjacent pure hooks (D73)
	Observe    bool            `json:"observe,omitempty"` // it runs without effect (D76)
	State      discovery.State `json:"state"`
	Cause      string          `json:"cause,omitempty"`
	Failure    string          `json:"failure,omitempty"`    // why it cannot run although it is active: a failure on its event
	Configured []string        `json:"configured,omitempty"` // values in a hooks.toml, with their positions
	Notice     string          `json:"notice,omitempty"`     // a notice about a hook that runs
	Extension  bool            `json:"extension,omitempty"`  // Event is an extension event
	Errors     []string        `json:"errors,omitempty"`     // in its HOOK.md, although it runs

	// From hooks.lock, which the command reads (D81).
	Source string `json:"source,omitempty"`
	Ref    string `json:"ref,omitempty"`
	Commit string `json:"commit,omitempty"`
}

// ListedAnswer is a constant answer.
type ListedAnswer struct {
	Decision          string `json:"decision,omitempty"`
	Reason            string `json:"reason,omitempty"`
	AdditionalContext string `json:"additional_context,omitempty"`
	SystemMessage     string `json:"system_message,omitempty"`
}

// List lists the hooks in running order, and gives the reason for those that cannot run.
// path is the PATH variable.
func List(hooks *agenthooks.Hooks, path string) []Listed {
	rows := []Listed{}
	add := func(event spec.EventType) {
		order := 0
		for _, h := range hooks.Table[event] {
			row := newListed(event, h)
			if h.State != discovery.Disabled {
				row.Configured = hooks.Configured(h)
			}
			if h.State == discovery.Active {
				if err := h.Runnable(path); err != nil {
					row.Failure = err.Error()
				} else {
					order++
					row.Order = order
					if why := hooks.Unvouched(h); why != "" && row.Notice == "" {
						row.Notice = "allows nothing: " + why
					}
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

// newListed returns the row for a hook. Fields are empty if the HOOK.md could not be read.
func newListed(event spec.EventType, h *discovery.Hook) Listed {
	row := Listed{
		Event: event, Hook: h.Shown(), Name: h.OtherName(), Scope: h.Scope, File: h.File, Tool: h.Tool, Pattern: h.Pattern, State: h.State, Cause: h.Cause, Notice: h.News(),
	}
	row.Match, row.Access, row.Unless = string(h.Match), h.Access.String(), h.Unless
	if h.Passes() {
		row.Undecided = "pass"
	}
	if a := h.Answer; a != nil {
		row.Answer = &ListedAnswer{string(a.Decision), a.Reason, a.AdditionalContext, a.SystemMessage}
	}
	if info, ok := spec.Info(event); ok {
		row.Extension = info.Extension
	}
	if row.Notice == "" && h.State == discovery.Active {
		if why := h.Unchecked(); why != "" {
			row.Notice = "has " + why
		}
	}
	if h.Timeout == 0 {
		return row
	}
	timeout, priority := h.Timeout.Milliseconds(), h.Priority
	row.Errors = Errors(h)
	row.Timeout, row.Priority, row.Mode, row.OnFailure = &timeout, &priority, "sync", string(h.OnFailure)
	row.Pure, row.Observe = h.Pure && !h.Async, h.Observe
	if h.Async {
		row.Mode = "async"
	}
	return row
}
