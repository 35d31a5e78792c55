package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/cases"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

type validateFlags struct {
	json    bool
	project string
}

func (f *validateFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print JSON")
	fs.StringVar(&f.project, "project", "", "search for the project upward from `DIR`")
}

// execute is `agent-hooks validate [HOOK|PATH ...]`: the exit status is 1 if there is
// an error.
func (flags validateFlags) execute(env *Env, paths []string) (int, error) {
	var c checked
	var err error
	if len(paths) == 0 {
		env.validateAll(&c, flags.project)
	}
	for _, path := range paths {
		if err := env.validateArgument(&c, path, flags.project); err != nil {
			return 0, err
		}
	}
	spec.SortDiagnostics(c.diagnostics)
	if flags.json {
		err = env.printJSON(append([]spec.Diagnostic{}, c.diagnostics...))
	} else {
		env.printDiagnostics(c)
	}
	if c.count(spec.Error) > 0 {
		return spec.ExitError, err
	}
	return spec.ExitContinue, err
}

// checked contains the results of validate.
type checked struct {
	hooks       int
	diagnostics []spec.Diagnostic
	notes       []string
}

func (c *checked) count(s spec.Severity) (n int) {
	for _, d := range c.diagnostics {
		if d.Severity == s {
			n++
		}
	}
	return n
}

func (c *checked) hook(h *discovery.Hook, path string) {
	c.hooks++
	c.diagnostics = append(c.diagnostics, h.Validate(path)...)
	c.cases(h)
}

// cases reads the hook's test cases, with the problems that test reports.
func (c *checked) cases(h *discovery.Hook) {
	all, problems := cases.Read(h)
	for _, one := range all {
		problems = append(problems, one.Diagnostics...)
	}
	c.diagnostics = append(c.diagnostics, problems...)
	if cases.MayBePure(h, all) {
		c.notes = append(c.notes, fmt.Sprintf("%s: its test cases change nothing; if the script never does, `pure: true` under metadata lets it run at the same time as other hooks", h.Shown()))
	}
}

// validateAll checks the hooks of user and project, and reports which replace others (D6).
func (env *Env) validateAll(c *checked, project string) {
	hooks := env.hooks(projectFlags{project: project})
	c.diagnostics = append(c.diagnostics, withFound(hooks.Diagnostics)...)
	for _, rows := range hooks.Table {
		for _, h := range rows {
			c.found(h, env.Getenv("PATH"))
		}
	}
	slices.Sort(c.notes)
}

// found checks one of all hooks, including hooks that do not run.
func (c *checked) found(h *discovery.Hook, path string) {
	c.hook(h, path)
	if h.State == discovery.Overridden || h.State == discovery.Disabled {
		c.notes = append(c.notes, fmt.Sprintf("%s hook %s is %s: %s", h.Scope, h.Name, h.State, h.Cause))
	}
}

// validateArgument checks the file or folder at a path or, if there is none, the hooks with
// that name.
func (env *Env) validateArgument(c *checked, arg, project string) error {
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(env.Dir, path)
	}
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return env.validatePath(c, arg, path)
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("validate: %w", err)
	}
	return env.validateNamed(c, arg, project)
}

func (env *Env) validateNamed(c *checked, name, project string) error {
	hooks := env.load(projectFlags{project: project}, nil)
	var names []string
	before := c.hooks
	for _, h := range everyHook(hooks.Table) {
		names = append(names, h.Shown())
		if h.Shown() == name || h.Folder == name {
			c.found(h, env.Getenv("PATH"))
		}
	}
	if c.hooks > before {
		env.warnAll(hooks.Warnings)
		return nil
	}
	if dir, ok := folderNamed(name, hooks.Diagnostics); ok {
		return env.noHook(dir)
	}
	hint := "agent-hooks list shows the hooks; without an argument, all are checked"
	if near, ok := near.Word(name, names); ok {
		hint = fmt.Sprintf("did you mean `agent-hooks validate %s`?", shellWord(near))
	}
	return usagef(hint, "validate: %q is neither a path nor the name of a hook", name)
}

// validatePath checks a HOOK.md, a hook's folder, a directory of hooks, or the
// hook of a test case.
func (env *Env) validatePath(c *checked, arg, dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("validate: %q is a symbolic link that leads nowhere", arg)
	case err != nil:
		return fmt.Errorf("validate: %w", err)
	}
	if filepath.Base(dir) == config.Name {
		c.diagnostics = append(c.diagnostics, validateConfig(dir)...)
		return nil
	}
	scope := discovery.ProjectScope
	if of := filepath.Dir(filepath.Dir(dir)); !info.IsDir() && isCaseOf(of, dir) {
		c.hook(discovery.ReadHook(of, scope), env.Getenv("PATH"))
		return nil
	}
	if !info.IsDir() {
		if !isHookFile(filepath.Base(dir)) {
			hint := "name a HOOK.md, the folder of a hook, or a directory of hooks"
			if meansHookFile(filepath.Base(dir)) {
				hint = "rename it to HOOK.md"
			}
			return usagef(hint, "validate: %q is no HOOK.md", arg)
		}
		c.hook(discovery.ReadHook(filepath.Dir(dir), scope), env.Getenv("PATH"))
		return nil
	}
	if hasHookFile(dir) {
		c.hook(discovery.ReadHook(dir, scope), env.Getenv("PATH"))
		return nil
	}
	hooks, diagnostics := discovery.ReadScope(dir, scope)
	if len(hooks) == 0 && (misspelt(dir) != "" || isFolder(filepath.Join(dir, "scripts"))) {
		return env.noHook(dir)
	}
	if len(hooks) == 0 && len(diagnostics) == 0 {
		return usagef("name a HOOK.md, the folder of a hook, or a directory of hooks", "validate: there is no hook in %q", arg)
	}
	c.diagnostics = append(c.diagnostics, withFound(diagnostics)...)
	for _, h := range hooks {
		c.hook(h, env.Getenv("PATH"))
	}
	return nil
}

// isCaseOf reports whether a file is a test case of the hook in a folder.
func isCaseOf(hook, file string) bool {
	return filepath.Dir(file) == filepath.Join(hook, cases.Folder) && hasHookFile(hook) && cases.IsCase(filepath.Base(file))
}

func isHookFile(name string) bool { return name == spec.HookFile || name == spec.OtherHookFile }

func hasHookFile(dir string) bool {
	for _, name := range []string{spec.HookFile, spec.OtherHookFile} {
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

func (env *Env) printDiagnostics(c checked) {
	for _, d := range c.diagnostics {
		fmt.Fprint(env.Stdout, env.diagnosticText(env.Stdout, 0, d))
	}
	for _, note := range c.notes {
		fmt.Fprint(env.Stdout, env.paragraph(env.Stdout, 2, "note: "+term.Printable(note)))
	}
	fmt.Fprintf(env.Stderr, "%s, %s, %s\n", term.Plural(c.hooks, "hook"), term.Plural(c.count(spec.Error), "error"), term.Plural(c.count(spec.Warning), "warning"))
}

// relative shortens a path below the current directory.
func (env *Env) relative(path string) string {
	if rel, err := filepath.Rel(env.Dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
