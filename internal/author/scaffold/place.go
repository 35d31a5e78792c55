package scaffold

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/state"
)

// Place is the directory of hooks for a new hook.
type Place struct {
	Scope discovery.Scope
	Hooks string // the directory, absolute; it need not exist

	Table     discovery.Table          // the existing hooks of user and project
	Protected func(name string) bool   // a project's hook cannot replace the user's
	Short     func(path string) string // formats a path for messages
}

// ProjectHooks returns the directory for a project's hooks: hooks if it exists, otherwise one in the
// root of the repository that contains root. Outside a repository, the user must have named the
// project. Home is never a project (D2); then the result is "".
func ProjectHooks(root, hooks, home string, named bool) string {
	if hooks != "" {
		return hooks
	}
	for dir := root; dir != "" && !isHome(dir, home); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			root, named = dir, true
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if root == "" || isHome(root, home) || !named {
		return ""
	}
	return filepath.Join(root, ".agents", "hooks")
}

func isHome(dir, home string) bool {
	a, err := os.Stat(home)
	if err != nil {
		return false
	}
	b, err := os.Stat(dir)
	return err == nil && os.SameFile(a, b)
}

// Folder returns the folder of a hook.
func (p *Place) Folder(name string) string { return filepath.Join(p.Hooks, name) }

// File returns the path of a file of a hook.
func (p *Place) File(name string, f state.File) string {
	return filepath.Join(p.Folder(name), filepath.FromSlash(f.Path))
}

// Find returns the hook with a name in a scope, or nil.
func (p *Place) Find(name string, scope discovery.Scope) *discovery.Hook {
	for _, rows := range p.Table {
		i := slices.IndexFunc(rows, func(h *discovery.Hook) bool { return h.Scope == scope && h.Folder == name })
		if i >= 0 {
			return rows[i]
		}
	}
	return nil
}

// Check returns an error if no hook with that name can be written.
func (p *Place) Check(name string) error {
	if err := p.inside(); err != nil {
		return err
	}
	taken := p.Folder(name)
	_, err := os.Lstat(taken)
	switch h := p.Find(name, p.Scope); {
	case err == nil:
	case !errors.Is(err, os.ErrNotExist):
		return err
	case h != nil:
		taken = h.Dir
	case p.Scope == discovery.ProjectScope && p.Find(name, discovery.UserScope) != nil && p.Protected(name):
		return fmt.Errorf("your hooks.toml protects your own hook %s, so that a project's hook of that name would not run; choose another name", name)
	default:
		return nil
	}
	return fmt.Errorf("%s already exists, and nothing is overwritten; choose another name", p.Short(taken))
}

// inside returns an error if the path of the project's directory of hooks contains a link out
// of the project: a repository could cause files to be written anywhere.
func (p *Place) inside() error {
	root, physical := paths.Physical(filepath.Dir(filepath.Dir(p.Hooks))), paths.Physical(p.Hooks)
	if p.Scope != discovery.ProjectScope || paths.Contains(root, physical) {
		return nil
	}
	return fmt.Errorf("%s is a link out of the project, to %s; nothing is written through it", p.Short(p.Hooks), p.Short(physical))
}

// Replaced returns the folder of the user's hook that a project's new hook replaces, and that of
// the project's hook that replaces a user's new one.
func (p *Place) Replaced(name string) (replaces, by string) {
	if p.Scope == discovery.ProjectScope {
		if h := p.Find(name, discovery.UserScope); h != nil {
			return h.Dir, ""
		}
	} else if h := p.Find(name, discovery.ProjectScope); h != nil {
		return "", h.Dir
	}
	return "", ""
}
