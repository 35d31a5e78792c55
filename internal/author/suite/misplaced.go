package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

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
	if file := misspelled(dir); file != "" {
		return fmt.Sprintf("rename its %q to HOOK.md", file)
	}
	var deeper []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if inner := filepath.Join(dir, e.Name()); paths.IsFolder(inner) && hasHookFile(inner) {
			deeper = append(deeper, fmt.Sprintf("%q", e.Name()))
		}
	}
	if len(deeper) == 0 {
		return ""
	}
	return "move up the hooks that are one level too deep: " + strings.Join(deeper[:min(len(deeper), 3)], ", ")
}

// misspelled returns the name of a file in a folder that is a misspelling of HOOK.md, or "".
func misspelled(dir string) string {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !e.IsDir() && meansHookFile(e.Name()) {
			return e.Name()
		}
	}
	return ""
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
