package main

import (
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/scaffold"
)

// hookPlace is the directory of hooks for a new hook.
type hookPlace struct {
	env   *Env
	scope discovery.Scope
	hooks string // the directory, absolute; it need not exist
	*agenthooks.Hooks
	where projectFlags
	other string // how to select the other scope; "" if there is none, or the user selected one
}

// settlePlace selects the scope: that of the flags, that of the user's answer, or the current
// project, if there is one.
func (n *newHook) settlePlace() (*hookPlace, error) {
	if n.project != "" && !isFolder(n.env.absolute(n.project)) {
		return nil, fmt.Errorf("new: %q is not a directory", n.project)
	}
	where := projectFlags{project: n.project}
	hooks := n.env.load(where, nil)
	p := &hookPlace{env: n.env, Hooks: hooks, where: where}
	user, warning := n.env.userHooksFor()
	project := n.env.projectHooksFor(hooks.Project, n.project != "")
	p.scope, p.hooks = discovery.UserScope, user
	switch {
	case n.user && user == "":
		return nil, usagef("--project DIR writes it for a project", "new: %s", warning)
	case n.user:
	case n.project != "" && project == "":
		return nil, usagef("--user writes it for yourself, in every project", "new: your home is never a project")
	case n.project != "" || user == "" && project != "":
		p.scope, p.hooks = discovery.ProjectScope, project
	case user == "":
		return nil, usagef("--project DIR writes it for a project", "new: %s", warning)
	case project != "" && n.asks != nil:
		if err := n.asks.scope(p, project); err != nil {
			return nil, err
		}
	case project != "":
		p.scope, p.hooks, p.other = discovery.ProjectScope, project, "for all your projects: --user"
	default:
		p.other = "for one: --project DIR"
	}
	return p, p.inside()
}

// inside returns an error if the path of the project's directory of hooks contains a link out
// of the project: a repository could cause files to be written anywhere.
func (p *hookPlace) inside() error {
	if p.scope != discovery.ProjectScope {
		return nil
	}
	root, physical := place.Physical(filepath.Dir(filepath.Dir(p.hooks))), place.Physical(p.hooks)
	if rel, err := filepath.Rel(root, physical); err == nil && filepath.IsLocal(rel) {
		return nil
	}
	return fmt.Errorf("new: %s is a link out of the project, to %s; nothing is written through it", p.env.short(p.hooks), p.env.short(physical))
}

// userHooksFor returns the directory for the user's hooks, or "" and the reason if there is
// none. A missing home directory is not created.
func (env *Env) userHooksFor() (dir, warning string) {
	dir, warning = env.userHooks()
	if home := env.home(); strings.HasPrefix(dir, home) && dir != "" && !isFolder(home) {
		return "", fmt.Sprintf("the home directory %q is not there", home)
	}
	return dir, warning
}

// projectHooksFor returns the directory for the project's hooks: the existing one, otherwise
// one in the root of the repository. Outside a repository, the user must name the project. Home
// is never a project (D2).
func (env *Env) projectHooksFor(p agenthooks.Project, named bool) string {
	if p.Hooks != "" {
		return p.Hooks
	}
	root := p.Root
	for dir := p.Root; dir != "" && !env.isHome(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			root, named = dir, true
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if root == "" || env.isHome(root) || !named {
		return ""
	}
	return filepath.Join(root, ".agents", "hooks")
}

func (env *Env) isHome(dir string) bool {
	home, err := os.Stat(env.home())
	if err != nil {
		return false
	}
	info, err := os.Stat(dir)
	return err == nil && os.SameFile(info, home)
}

// tell prints the scope of the hook first.
func (p *hookPlace) tell() {
	whom := "for all your projects"
	if p.scope == discovery.ProjectScope {
		whom = "for this project"
		if p.where.project != "" {
			whom = "for the project"
		}
	}
	line := fmt.Sprintf("%s, in %s", whom, p.env.short(p.hooks))
	if p.other != "" {
		line += " (" + p.other + ")"
	}
	fmt.Fprintln(p.env.Stderr, line)
}

func (p *hookPlace) folder(name string) string { return filepath.Join(p.hooks, name) }

func (p *hookPlace) file(name string, f scaffold.File) string {
	return filepath.Join(p.folder(name), filepath.FromSlash(f.Path))
}

// find returns the hook with a name in a scope, or nil.
func (p *hookPlace) find(name string, scope discovery.Scope) *discovery.Hook {
	for _, rows := range p.Table {
		i := slices.IndexFunc(rows, func(h *discovery.Hook) bool { return h.Scope == scope && (h.Name == name || h.Folder == name) })
		if i >= 0 {
			return rows[i]
		}
	}
	return nil
}

// refuse returns an error if no hook with that name can be written.
func (p *hookPlace) refuse(name string) error {
	taken := p.folder(name)
	_, err := os.Lstat(taken)
	switch h := p.find(name, p.scope); {
	case err == nil:
	case !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("new: %w", err)
	case h != nil:
		taken = h.Dir
	case p.scope == discovery.ProjectScope && p.find(name, discovery.UserScope) != nil && p.Protected(name):
		return fmt.Errorf("new: your hooks.toml protects your own hook %s, so that a project's hook of that name would not run; choose another name", name)
	default:
		return nil
	}
	return fmt.Errorf("new: %s is there already, and nothing is overwritten; choose another name", p.env.short(taken))
}

// replaced returns the folder of the user's hook that a project's new hook
// replaces, and that of the project's hook that replaces a user's new one.
func (p *hookPlace) replaced(name string) (replaces, by string) {
	if p.scope == discovery.ProjectScope {
		if h := p.find(name, discovery.UserScope); h != nil {
			return h.Dir, ""
		}
	} else if h := p.find(name, discovery.ProjectScope); h != nil {
		return "", h.Dir
	}
	return "", ""
}

func (p *hookPlace) tellReplaced(name string) {
	replaces, by := p.replaced(name)
	if replaces != "" {
		p.env.warn("in this project the hook replaces your own of that name, %s", p.env.short(replaces))
	}
	if by != "" {
		p.env.warn("in this project the project's hook of that name replaces it: %s", p.env.short(by))
	}
}

func (p *hookPlace) needsTrust() bool {
	return p.scope == discovery.ProjectScope && p.RequiresTrust()
}

// tellProblems prints the reasons why the new hook cannot run.
func (p *hookPlace) tellProblems(name string) {
	hooks := p.env.load(p.where, nil)
	now := &hookPlace{env: p.env, Hooks: hooks}
	h := now.find(name, p.scope)
	if h == nil {
		p.env.warn("%s is not among the hooks that run here: agent-hooks list", p.folder(name))
		return
	}
	for _, d := range h.Validate(p.env.Getenv("PATH")) {
		p.env.warn("%s", d)
	}
	if h.State == discovery.Disabled {
		p.env.warn("hook %s does not run: disabled by %s", name, h.Cause)
	}
	if entry, err := h.Entry(p.env.Getenv("PATH")); err == nil && needsJQ(entry.Script) && !anyOf("jq", "python3") {
		p.env.warn("the script needs jq or python3 for JSON, and neither is installed")
	}
}

// needsJQ reports whether a script uses jq or python3 for its JSON.
func needsJQ(script string) bool {
	text, err := os.ReadFile(script)
	return err == nil && strings.HasSuffix(script, ".sh") && strings.Contains(string(text), "command -v jq")
}

// anyOf reports whether one of these programs is installed.
func anyOf(programs ...string) bool {
	return slices.ContainsFunc(programs, func(name string) bool {
		_, err := osexec.LookPath(name)
		return err == nil
	})
}

// write writes the folder of a hook. It delays signals until the end, which comes soon: they
// would leave a temporary folder.
func (p *hookPlace) write(name string, files []scaffold.File) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, endingSignals()...)
	defer signal.Stop(signals)
	return scaffold.Write(p.hooks, name, files)
}
