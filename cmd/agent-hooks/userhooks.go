package main

import (
	"fmt"
	"os"
	"path/filepath"

	agenthooks "github.com/agent-hooks/agent-hooks"
)

// hiddenByConfigHome warns if user, found by XDG_CONFIG_HOME, is not there
// although the user has hooks below home: an agent's or a repository's setting
// of that variable must not switch them off in silence.
func hiddenByConfigHome(user, home string) string {
	usual := filepath.Join(home, ".config", "agents", "hooks")
	if user == usual || !filepath.IsAbs(home) || isFolder(user) || !isFolder(usual) {
		return ""
	}
	return fmt.Sprintf("XDG_CONFIG_HOME leads to %s, which is not there; the hooks in %s do not run", user, usual)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// replaced warns of each hook that the event concerns and that a project's
// hook replaces (D6): whoever made the repository has made that one.
func replaced(plan *agenthooks.Plan) []string {
	var warnings []string
	for _, row := range plan.Rows {
		if row.Failed == agenthooks.Replaced {
			warnings = append(warnings, fmt.Sprintf("%s hook %s does not run: %s", row.Hook.Scope, row.Hook.Shown(), row.Saw))
		}
	}
	return warnings
}
