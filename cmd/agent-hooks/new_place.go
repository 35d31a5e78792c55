package main

import (
	"fmt"
	"os"
	osexec "os/exec"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/scaffold"
	"github.com/agent-hooks/agent-hooks/internal/place"
)

// settlePlace selects the scope: that of the flags, otherwise the current project, if there is one.
func (n *newHook) settlePlace() error {
	env, named := n.env, n.project != ""
	if named && !place.IsFolder(env.absolute(n.project)) {
		return fmt.Errorf("%q is not a directory", n.project)
	}
	hooks := env.load(projectFlags{project: n.project}, nil)
	n.place = scaffold.Place{Scope: discovery.UserScope, Table: hooks.Table, Protected: hooks.Protected, Short: env.short}
	user, warning := env.userHooks()
	if home := env.home(); strings.HasPrefix(user, home) && user != "" && !place.IsFolder(home) { // it is not created
		user, warning = "", fmt.Sprintf("the home directory %q does not exist", home)
	}
	project := scaffold.ProjectHooks(hooks.Project.Root, hooks.Project.Hooks, env.home(), named)
	switch {
	case named && project == "":
		return usagef("--user writes it for yourself, in every project", "your home is never a project")
	case named || project != "" && !n.user:
		n.place.Scope, n.place.Hooks = discovery.ProjectScope, project
		if !named && user != "" {
			n.other = "for all your projects: --user"
		}
	case user == "":
		return usagef("--project DIR writes it for a project", "%s", warning)
	default:
		n.place.Hooks = user
		if !n.user {
			n.other = "for one: --project DIR"
		}
	}
	return n.place.Check(n.name)
}

// printPlace prints the scope of the hook.
func (n *newHook) printPlace() {
	reach := "for all your projects"
	switch {
	case n.project != "":
		reach = "for the project"
	case n.place.Scope == discovery.ProjectScope:
		reach = "for this project"
	}
	line := fmt.Sprintf("%s, in %s", reach, n.env.short(n.place.Hooks))
	if n.other != "" {
		line += " (" + n.other + ")"
	}
	fmt.Fprintln(n.env.Stderr, line)
}

func (n *newHook) printReplaced() {
	replaces, by := n.place.Replaced(n.name)
	if replaces != "" {
		n.env.warn("in this project the hook replaces your own of that name, %s", n.env.short(replaces))
	}
	if by != "" {
		n.env.warn("in this project the project's hook of that name replaces it: %s", n.env.short(by))
	}
}

// printProblems prints the reasons why the new hook cannot run.
func (n *newHook) printProblems() {
	n.place.Table = n.env.load(projectFlags{project: n.project}, nil).Table
	h := n.place.Find(n.name, n.place.Scope)
	if h == nil {
		n.env.warn("%s is not among the hooks that run here: agent-hooks list", n.place.Folder(n.name))
		return
	}
	path := n.env.Getenv("PATH")
	for _, d := range h.Validate(path) {
		n.env.warn("%s", d)
	}
	if h.State == discovery.Disabled {
		n.env.warn("hook %s does not run: disabled by %s", n.name, h.Cause)
	}
	if entry, err := h.Entry(path); err == nil && needsJQ(entry.Script) && !anyOf("jq", "python3") {
		n.env.warn("the script needs jq or python3 for JSON, and neither is installed")
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
