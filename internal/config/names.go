package config

import (
	"fmt"
	"slices"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Unused warns of names in the files that no hook has, with the nearest that
// one has. hooks are those of both scopes.
func (c Config) Unused(hooks []*discovery.Hook) []spec.Diagnostic {
	var all, user, project []string
	for _, h := range hooks {
		name := nameOf(h)
		all = append(all, name)
		if h.Scope == discovery.UserScope {
			user = append(user, name)
		} else {
			project = append(project, name)
		}
	}
	var diagnostics []spec.Diagnostic
	if f := c.User; f != nil {
		diagnostics = append(diagnostics, f.unused(f.protect, "hook of yours", user)...)
		diagnostics = append(diagnostics, f.unused(slices.Concat(f.disable, f.override), "hook", all)...)
	}
	if f := c.Project; f != nil {
		diagnostics = append(diagnostics, f.unused(slices.Concat(f.disable, f.override), "hook of this project", project)...)
	}
	spec.SortDiagnostics(diagnostics)
	return diagnostics
}

func (f *File) unused(entries []entry, kind string, names []string) []spec.Diagnostic {
	var diagnostics []spec.Diagnostic
	for _, e := range entries {
		if slices.Contains(names, e.name) {
			continue
		}
		hint := "agent-hooks list shows the hooks"
		if near, ok := spec.Nearest(e.name, names); ok {
			hint = fmt.Sprintf("did you mean %s?", quote(near))
		}
		diagnostics = append(diagnostics, spec.Diagnostic{Path: f.Path, Line: e.line, Severity: spec.Warning, Code: "config-name",
			Message: fmt.Sprintf("there is no %s %s; %s", kind, quote(e.name), hint)})
	}
	return diagnostics
}
