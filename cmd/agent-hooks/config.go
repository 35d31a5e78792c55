package main

import (
	"os"
	"path/filepath"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/spec"
)

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

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
