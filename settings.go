package agenthooks

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

// settings are the hooks.toml files that apply to a call (D14).
type settings struct {
	config.Config              // the files that apply
	project       *config.File // the project's file, whether it applies or not
	ignored       bool         // no file applies
	trusted       bool         // trust is required, so the project's file does not apply
}

// userSettings reads the user's file.
func (o located) userSettings() *settings {
	s := &settings{ignored: o.NoSettings || o.Isolated}
	if !s.ignored {
		s.User = config.Read(o.Hooks, discovery.UserScope)
	}
	s.trusted = o.RequireTrust || s.RequireTrust()
	return s
}

// readProject reads the hooks.toml of the project. The file is not reviewed, so
// it does not apply if trust is required.
func (s *settings) readProject(hooks string) {
	if s.ignored {
		return
	}
	s.project = config.Read(hooks, discovery.ProjectScope)
	if !s.trusted {
		s.Project = s.project
	}
}

// check returns the check of the project's hooks, nil if trust is not required.
func (s *settings) check(o located) *trust.Check {
	if !s.trusted {
		return nil
	}
	dir := o.State
	if dir != "" {
		dir = filepath.Join(dir, "trust")
	}
	options := trust.Options{Store: dir, Home: o.Home, Event: o.Only, Late: o.Only != "", OnFailure: s.OnFailure(), Policy: s.PolicyOf}
	if o.Event != nil {
		options.Event = o.Event.Type
	}
	return trust.NewCheck(options)
}

// counts returns the condition for a directory of hooks to end the search for
// the project, nil if trust is not required.
func counts(check *trust.Check) func(hooks string) bool {
	if check == nil {
		return nil
	}
	return check.Counts
}

// trustWarnings finishes a check: it returns the check's warnings and, if the
// hooks are for a run, records new data in the trust store.
func trustWarnings(check *trust.Check, run bool) []string {
	if check == nil {
		return nil
	}
	if run {
		check.Remember(time.Now())
	}
	return check.Warnings()
}

// diagnostics returns the problems of both files. table holds the hooks that
// they may name.
func (s *settings) diagnostics(table discovery.Table) []spec.Diagnostic {
	var diagnostics []spec.Diagnostic
	for _, f := range []*config.File{s.User, s.project} {
		if f != nil {
			diagnostics = append(diagnostics, f.Diagnostics...)
		}
	}
	if s.User == nil && s.Project == nil {
		return diagnostics
	}
	var all []*discovery.Hook
	for _, rows := range table {
		all = append(all, rows...)
	}
	return append(diagnostics, s.Unused(all)...)
}

func (s *settings) warnings() []string {
	if !s.trusted || s.project.Blank() {
		return nil
	}
	return []string{fmt.Sprintf("%q is ignored: trust is required, and nobody has reviewed that file", s.project.Path)}
}
