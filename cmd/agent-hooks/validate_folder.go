package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/spec"
)

// emptyFolder is the code of a folder among the hooks that has no HOOK.md.
const emptyFolder = "empty"

// withFound adds to the diagnostics of folders without a HOOK.md what they contain instead.
func withFound(diagnostics []spec.Diagnostic) []spec.Diagnostic {
	var all []spec.Diagnostic
	for _, d := range diagnostics {
		if hint := insteadOfHook(d.Path); d.Code == emptyFolder && hint != "" {
			d.Message += "; " + hint
		}
		all = append(all, d)
	}
	return all
}

// insteadOfHook describes what in a folder looks like a misplaced hook, and what to do; "" if
// nothing does.
func insteadOfHook(dir string) string {
	if file := misspelt(dir); file != "" {
		return fmt.Sprintf("rename its %q to HOOK.md", file)
	}
	var deeper []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if isHookFolder(filepath.Join(dir, e.Name())) {
			deeper = append(deeper, fmt.Sprintf("%q", e.Name()))
		}
	}
	if len(deeper) == 0 {
		return ""
	}
	return "move up what lies a level too deep in it: " + strings.Join(deeper[:min(len(deeper), 3)], ", ")
}

// misspelt returns the name of a file in a folder that is a misspelling of HOOK.md, or "".
func misspelt(dir string) string {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !e.IsDir() && meansHookFile(e.Name()) {
			return e.Name()
		}
	}
	return ""
}

func meansHookFile(name string) bool {
	_, near := near.Word(name, []string{"HOOK.md"})
	return near && len(name) > 3
}

func isHookFolder(dir string) bool { return isFolder(dir) && hasHookFile(dir) }

// noHook returns the error that a named folder has no HOOK.md.
func (env *Env) noHook(dir string) error {
	hint := insteadOfHook(dir)
	if hint == "" {
		hint = "add a HOOK.md, or remove the folder"
	}
	return usagef(hint, "validate: the folder %q has no HOOK.md, so it is no hook", env.relative(dir))
}

// folderNamed returns the folder for a name that no hook has: a folder among the hooks without
// a HOOK.md, or the parent of a hook that is nested too deep.
func folderNamed(name string, diagnostics []spec.Diagnostic) (dir string, ok bool) {
	if filepath.Base(name) != name {
		return "", false
	}
	for _, d := range diagnostics {
		if d.Code == emptyFolder && (filepath.Base(d.Path) == name || isHookFolder(filepath.Join(d.Path, name))) {
			return d.Path, true
		}
	}
	return "", false
}
