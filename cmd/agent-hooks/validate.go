package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/cases"
	"github.com/agent-hooks/agent-hooks/internal/author/explain"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

type validateFlags struct{ formatFlag }

func (f *validateFlags) declare(fs *flag.FlagSet) { f.formatFlag.declare(fs) }

// execute is `agent-hooks validate [HOOK|PATH ...]`: the exit status is 1 if there is
// an error.
func (flags validateFlags) execute(env *Env, paths []string) (int, error) {
	var c checked
	if len(paths) == 0 {
		hooks := env.hooks()
		c.diagnostics = append(c.diagnostics, suite.ExplainFolders(hooks.Diagnostics)...)
		for _, h := range suite.All(hooks.Table) {
			c.hook(h, env.Getenv("PATH"))
		}
		slices.Sort(c.notes)
	}
	for _, path := range paths {
		if err := env.validateArgument(&c, path); err != nil {
			return 0, err
		}
	}
	spec.SortDiagnostics(c.diagnostics)
	errors := 0
	for _, d := range c.diagnostics {
		if d.Severity == spec.Error {
			errors++
		}
	}
	report := c.report()
	report.Text = func() error { return c.print(env, errors) }
	return exitStatus(errors > 0), flags.write(env, report)
}

// print prints the results for people.
func (c *checked) print(env *Env, errors int) error {
	for _, d := range c.diagnostics {
		env.print(env.diagnosticText(env.Stdout, 0, d))
	}
	for _, note := range c.notes {
		env.out(2, "note: "+term.Printable(note))
	}
	if c.hooks == 0 && len(c.diagnostics) == 0 {
		env.noteNoHooks()
	}
	_, err := fmt.Fprintf(env.Stderr, "%s, %s, %s\n", term.Plural(c.hooks, "hook"), term.Plural(errors, "error"), term.Plural(len(c.diagnostics)-errors, "warning"))
	env.noteReview(func(folder string) bool { return slices.Contains(c.folders, folder) })
	return err
}

// checked contains the results of validate.
type checked struct {
	hooks       int
	folders     []string // of these hooks
	dirs        []string // of these hooks, by path
	diagnostics []spec.Diagnostic
	notes       []string
}

func (c *checked) hook(h *discovery.Hook, path string) {
	c.hooks++
	c.folders, c.dirs = append(c.folders, h.Folder), append(c.dirs, h.Dir)
	c.diagnostics = append(c.diagnostics, h.Validate(path)...)
	for _, text := range explain.AllowLeavesOut(h) {
		c.notes = append(c.notes, h.Shown()+": "+text)
	}
	all, problems := cases.Read(h) // with the problems that test reports
	for _, one := range all {
		problems = append(problems, one.Diagnostics...)
	}
	c.diagnostics = append(c.diagnostics, problems...)
	if h.State == discovery.Overridden || h.State == discovery.Disabled {
		c.notes = append(c.notes, fmt.Sprintf("%s hook %s is %s: %s", h.Scope, h.Shown(), h.State, h.Cause))
	}
}

// validateArgument checks a hooks.toml, or the hooks that arg names.
func (env *Env) validateArgument(c *checked, arg string) error {
	path := env.absolute(arg)
	if filepath.Base(path) == config.Name {
		scope := discovery.UserScope
		if filepath.Dir(path) == filepath.Dir(place.ManagedHooks()) {
			scope = discovery.ManagedScope
		}
		if filepath.Base(filepath.Dir(path)) == ".agents" {
			scope = discovery.ProjectScope
		}
		if f := config.ReadFile(path, scope); f != nil {
			c.diagnostics = append(c.diagnostics, f.Diagnostics...)
			return nil
		}
	}
	hooks := env.load(nil)
	found, err := env.finder("validate", hooks).Find(arg)
	if err != nil {
		return fmt.Errorf("validate: %w", err)
	}
	if !found.ByPath {
		env.warnAll(hooks.Warnings)
	}
	c.diagnostics = append(c.diagnostics, found.Diagnostics...)
	for _, h := range found.Hooks {
		c.hook(h, env.Getenv("PATH"))
	}
	return nil
}
