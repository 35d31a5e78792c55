package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/cases"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Finder finds hooks.
type Finder struct {
	Command       string            // for hints
	Dir           string            // that paths are relative to
	User, Project string            // the directories of hooks; "" if there is none
	Hooks         []*discovery.Hook // of both, by name
}

// FindError is the error for an argument that does not name a hook.
type FindError struct{ message, hint string }

func (e *FindError) Error() string { return e.message }

// Hint returns what to do instead.
func (e *FindError) Hint() string { return e.hint }

func errorf(hint, format string, args ...any) error {
	return &FindError{fmt.Sprintf(format, args...), hint}
}

// Found is what an argument names.
type Found struct {
	Hooks       []*discovery.Hook
	Case        string // the name of the test case; "" for the whole hook
	ByPath      bool   // the hooks were read from a path
	Directory   bool   // of hooks
	Diagnostics []spec.Diagnostic
}

// All returns the hooks of a table in running order, and then those whose trigger cannot be read.
func All(table discovery.Table) []*discovery.Hook {
	var hooks []*discovery.Hook
	for _, info := range spec.Events() {
		for _, h := range table[info.Event] {
			if !slices.Contains(h.OtherTriggers, info.Event) { // otherwise it is also at its trigger
				hooks = append(hooks, h)
			}
		}
	}
	return append(hooks, table[""]...)
}

// Find finds the hooks with the name arg, otherwise those at that path, otherwise the test case
// HOOK/CASE. The path may be a hook's folder, its HOOK.md, one of its test cases or their folder, a
// directory of hooks, or a project with hooks.
func (f *Finder) Find(arg string) (Found, error) {
	if hooks := f.named(arg); len(hooks) > 0 {
		return Found{Hooks: hooks}, nil
	}
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(f.Dir, path)
	}
	dir, file := filepath.Dir(path), filepath.Base(path)
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return f.folder(arg, path)
	case err == nil && (file == spec.HookFile || file == spec.OtherHookFile):
		return f.read(dir, ""), nil
	case err == nil && filepath.Base(dir) == cases.Folder && hasHookFile(filepath.Dir(dir)) && cases.IsCase(file):
		return f.read(filepath.Dir(dir), strings.TrimSuffix(file, filepath.Ext(file))), nil
	case err == nil && meansHookFile(file):
		return Found{}, errorf("rename it to HOOK.md", "%q is not a HOOK.md", arg)
	case err == nil:
		return Found{}, errorf("name a hook, HOOK/CASE, the folder of a hook, a directory of hooks, or the file of a case", "%q is neither a HOOK.md nor a test case", arg)
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		return Found{}, err
	}
	if _, err := os.Lstat(path); err == nil {
		return Found{}, fmt.Errorf("%q is a symbolic link that leads nowhere", arg)
	}
	hook, name, _ := strings.Cut(arg, "/")
	if hooks := f.named(hook); len(hooks) > 0 {
		return Found{Hooks: hooks, Case: name}, nil
	}
	if paths.IsFolder(dir) && hasHookFile(dir) {
		return f.read(dir, file), nil
	}
	return Found{}, f.unknown(arg)
}

func (f *Finder) named(name string) (hooks []*discovery.Hook) {
	for _, h := range f.Hooks {
		if h.Shown() == name || h.Folder == name {
			hooks = append(hooks, h)
		}
	}
	return hooks
}

func (f *Finder) folder(arg, path string) (Found, error) {
	switch parent := filepath.Dir(path); {
	case hasHookFile(path):
		return f.read(path, ""), nil
	case filepath.Base(path) == cases.Folder && hasHookFile(parent):
		return f.read(parent, ""), nil
	}
	if inner := filepath.Join(path, ".agents", "hooks"); paths.IsFolder(inner) {
		path = inner
	}
	hooks, diagnostics := discovery.ReadScope(path, f.scope(path))
	switch {
	case len(hooks) > 0:
	case instead(path) != "" || paths.IsFolder(filepath.Join(path, "scripts")):
		return Found{}, f.noHook(path)
	case len(diagnostics) == 0:
		return Found{}, noHookIn(arg)
	}
	return Found{Hooks: hooks, ByPath: true, Directory: true, Diagnostics: ExplainFolders(diagnostics)}, nil
}

// noHookIn returns the error that a directory contains no hook.
func noHookIn(arg string) error {
	return errorf("name a HOOK.md, the folder of a hook, or a directory of hooks", "there is no hook in %q", arg)
}

func (f *Finder) read(dir, name string) Found {
	return Found{Hooks: []*discovery.Hook{discovery.ReadHook(dir, f.scope(filepath.Dir(dir)))}, Case: name, ByPath: true}
}

// scope distinguishes the user's own directory of hooks from others, which may belong to a
// repository.
func (f *Finder) scope(hooks string) discovery.Scope {
	if f.User != "" && filepath.Clean(hooks) == filepath.Clean(f.User) {
		return discovery.UserScope
	}
	if filepath.Clean(hooks) == place.ManagedHooks() {
		return discovery.ManagedScope
	}
	return discovery.ProjectScope
}

func (f *Finder) unknown(arg string) error {
	if err := f.Misplaced(arg); err != nil {
		return err
	}
	var names []string
	for _, h := range f.Hooks {
		names = append(names, h.Shown())
	}
	name, rest, isCase := strings.Cut(arg, "/")
	hint := "agent-hooks list shows the hooks; a path to a hook's folder works, too"
	if hook, ok := shown.Near(name, names); ok {
		if found, ok := shown.Near(rest, caseNames(f.named(hook))); ok && isCase {
			hook += "/" + found
		}
		hint = fmt.Sprintf("did you mean `agent-hooks %s %s`?", f.Command, hook)
	}
	return errorf(hint, "there is no hook %q", arg)
}

func caseNames(hooks []*discovery.Hook) (names []string) {
	for _, h := range hooks {
		all, _ := cases.Read(h)
		for _, c := range all {
			names = append(names, c.Name)
		}
	}
	return names
}

// noCase returns the error that a hook has no test case with a name.
func (f *Finder) noCase(h *discovery.Hook, name string) error {
	names := caseNames([]*discovery.Hook{h})
	hint := h.Shown() + " has no cases"
	if len(names) > 0 {
		hint = "its cases are " + strings.Join(names, ", ")
	}
	return errorf(shown.Hint(hint, "`agent-hooks "+f.Command+" "+h.Shown()+"/%s`", name, names), "hook %s has no case %q", h.Shown(), name)
}

// Misplaced returns an error that explains why the folder with a name is not a hook, or nil if there
// is not such a folder: it has no HOOK.md, or is nested too deep.
func (f *Finder) Misplaced(name string) error {
	if name != filepath.Base(name) || strings.HasPrefix(name, ".") {
		return nil
	}
	for _, hooks := range []string{f.Project, f.User} {
		if hooks == "" {
			continue
		}
		if dir := filepath.Join(hooks, name); paths.IsFolder(dir) && !hasHookFile(dir) {
			return f.noHook(dir)
		}
		entries, _ := os.ReadDir(hooks)
		for _, e := range entries {
			dir := filepath.Join(hooks, e.Name())
			if inner := filepath.Join(dir, name); !hasHookFile(dir) && paths.IsFolder(inner) && hasHookFile(inner) {
				return f.noHook(dir)
			}
		}
	}
	return nil
}

func (f *Finder) noHook(dir string) error {
	hint := instead(dir)
	if hint == "" {
		hint = "add a HOOK.md, or remove the folder"
	}
	if rel, err := filepath.Rel(f.Dir, dir); err == nil && filepath.IsLocal(rel) {
		dir = rel
	}
	return errorf(hint, "the folder %q has no HOOK.md, so it is not a hook", dir)
}

// ExplainFolders adds to the diagnostics of folders without a HOOK.md what they contain instead.
func ExplainFolders(diagnostics []spec.Diagnostic) (all []spec.Diagnostic) {
	for _, d := range diagnostics {
		if d.Code == "empty" {
			d.Message = strings.TrimSuffix(d.Message+"; "+instead(d.Path), "; ")
		}
		all = append(all, d)
	}
	return all
}

// instead returns what to do about a misspelled HOOK.md or a nested hook in a folder; "" if there
// is none.
func instead(dir string) string {
	var deeper []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !e.IsDir() && meansHookFile(e.Name()) {
			return fmt.Sprintf("rename its %q to HOOK.md", e.Name())
		}
		if inner := filepath.Join(dir, e.Name()); paths.IsFolder(inner) && hasHookFile(inner) {
			deeper = append(deeper, fmt.Sprintf("%q", e.Name()))
		}
	}
	if len(deeper) == 0 {
		return ""
	}
	return "move up the hooks that are one level too deep: " + strings.Join(deeper[:min(len(deeper), 3)], ", ")
}

func meansHookFile(name string) bool {
	_, near := shown.Near(name, []string{spec.HookFile})
	return near && len(name) > 3
}

func hasHookFile(dir string) bool {
	for _, name := range []string{spec.HookFile, spec.OtherHookFile} {
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}
