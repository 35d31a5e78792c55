package runlog

import (
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// Filter selects lines of the log. A field with its zero value selects all.
type Filter struct {
	Hook, Agent string
	Outcome     string // of the hook, or its effect
	Project     string // a directory that contains the project
	Since       time.Time

	seen map[string]bool // the names of hooks in the lines so far, selected or not
}

// Selects reports whether a line is selected.
func (f *Filter) Selects(e Entry) bool {
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	f.seen[e.Hook] = true
	return f.Concerns(e) && !e.Time.Before(f.Since)
}

// Concerns is Selects, at any time.
func (f *Filter) Concerns(e Entry) bool {
	return (f.Hook == "" || f.Hook == e.Hook) && (f.Agent == "" || f.Agent == e.Agent) &&
		(f.Outcome == "" || f.Outcome == e.Outcome || f.Outcome == e.Decision) &&
		(f.Project == "" || e.Project != "" && paths.Contains(f.Project, e.Project))
}

// Known reports whether a line or one of the hooks has the selected name. If not, names are
// all names, sorted.
func (f *Filter) Known(hooks discovery.Table) (known bool, names []string) {
	if f.Hook == "" || f.seen[f.Hook] {
		return true, nil
	}
	for name := range f.seen {
		names = append(names, name)
	}
	for _, list := range hooks {
		for _, h := range list {
			names = append(names, h.Shown())
		}
	}
	slices.Sort(names)
	return slices.Contains(names, f.Hook), names
}
