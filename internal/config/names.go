package config

import (
	"fmt"
	"maps"
	"slices"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Unused returns warnings about names in the files that no hook has, with the most similar
// existing name. hooks are those of both scopes.
func (c Config) Unused(hooks []*discovery.Hook) []spec.Diagnostic {
	all, user, project := names{}, names{}, names{}
	for _, h := range hooks {
		name := nameOf(h)
		all[name] = true
		if h.Scope == discovery.UserScope {
			user[name] = true
		} else {
			project[name] = true
		}
	}
	var diagnostics []spec.Diagnostic
	if f := c.User; f != nil {
		own, others := slices.Clone(f.protect), slices.Clone(f.override)
		for _, e := range f.disable {
			if f.pauses(e) {
				own = append(own, e)
			} else {
				others = append(others, e)
			}
		}
		diagnostics = append(f.unused(own, "hook of yours", user), f.unused(others, "hook", all)...)
	}
	if f := c.Project; f != nil {
		diagnostics = append(diagnostics, f.unused(slices.Concat(f.disable, f.override), "hook of this project", project)...)
	}
	spec.SortDiagnostics(diagnostics)
	return diagnostics
}

// names is a set of hooks' names.
type names map[string]bool

func (f *File) unused(entries []entry, kind string, known names) []spec.Diagnostic {
	var diagnostics []spec.Diagnostic
	candidates := slices.Sorted(maps.Keys(known))
	for _, e := range entries {
		if known[e.name] || len(diagnostics) == maxProblems {
			continue
		}
		name := " " + shown.Quote(e.name)
		if f.Scope == discovery.ProjectScope {
			name = " of this name" // do not quote its text
		}
		hint := shown.Hint("agent-hooks list shows the hooks", "%q", e.name, candidates[:min(len(candidates), maxProblems)])
		diagnostics = append(diagnostics, spec.Diagnostic{Path: f.Path, Line: e.line, Severity: spec.Warning, Code: "config-name",
			Message: fmt.Sprintf("there is no %s%s; %s", kind, name, hint)})
	}
	return diagnostics
}
