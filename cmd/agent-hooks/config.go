package main

import (
	"fmt"
	"path/filepath"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/spec"
)

// settings are the hooks.toml files that concern a call (D14).
type settings struct {
	config.Config              // what holds
	project       *config.File // the project's file, whether it holds or not
	searched      bool         // for the project's file
	trusted       bool         // trust is required, so the project's file does not hold
}

// loaded are the hooks of a call, and what hooks.toml says of them.
type loaded struct {
	*agenthooks.Hooks
	settings *settings
}

// readSettings reads the user's file; the project's is read when the project
// is found.
func readSettings(userHooks string) *settings {
	return &settings{Config: config.Config{User: config.Read(userHooks, discovery.UserScope)}}
}

// rules applies the files to the hooks that are loaded with o.
func (s *settings) rules(o *agenthooks.Options) {
	o.Rules.Configure, o.Rules.Protected = s.configure, s.Protected
}

func (s *settings) configure(h *discovery.Hook) {
	if h.Scope == discovery.ProjectScope && !s.trusted {
		s.readProject(filepath.Dir(h.Dir))
	}
	s.Apply(h)
}

// readProject reads the project's file, once.
func (s *settings) readProject(hooks string) {
	if s.searched {
		return
	}
	s.searched, s.project = true, config.Read(hooks, discovery.ProjectScope)
	if !s.trusted {
		s.Project = s.project
	}
}

// loaded adds to hooks that were loaded under the rules what is wrong with the
// files, among the diagnostics.
func (s *settings) loaded(l *agenthooks.Hooks, warnings []string) (loaded, []string) {
	hooks := loaded{l, s}
	s.readProject(hooks.Project.Hooks)
	for _, f := range []*config.File{s.User, s.project} {
		if f != nil {
			hooks.Diagnostics = append(hooks.Diagnostics, f.Diagnostics...)
		}
	}
	hooks.Diagnostics = append(hooks.Diagnostics, s.Unused(hooks.all())...)
	if s.trusted && !s.project.Blank() {
		warnings = append(warnings, fmt.Sprintf("%q is ignored: trust is required, and nobody has reviewed that file", s.project.Path))
	}
	return hooks, warnings
}

// all returns the hooks of every event, if a file says anything about some.
func (l loaded) all() (hooks []*discovery.Hook) {
	if l.settings.User == nil && l.settings.Project == nil {
		return nil
	}
	for _, rows := range l.Table {
		hooks = append(hooks, rows...)
	}
	return hooks
}

// configured spells what hooks.toml sets for a hook.
func (s *settings) configured(h *discovery.Hook) (texts []string) {
	for _, change := range s.Changes(h) {
		texts = append(texts, change.String())
	}
	return texts
}

// validateConfig checks one hooks.toml. That of a project is in .agents.
func validateConfig(path string) []spec.Diagnostic {
	scope := discovery.UserScope
	if filepath.Base(filepath.Dir(path)) == ".agents" {
		scope = discovery.ProjectScope
	}
	if f := config.ReadFile(path, scope); f != nil {
		return f.Diagnostics
	}
	return nil
}
