package importer

import (
	"context"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"time"
)

// untracked returns an error if git tracks the file, because removing an entry
// from it would affect everybody who works on the project.
func untracked(path string) error {
	if !inRepository(path) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	// A repository's own settings must not start a program.
	cmd := osexec.CommandContext(ctx, "git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks",
		"ls-files", "--error-unmatch", "--", filepath.Base(path))
	cmd.Dir = filepath.Dir(path)
	err := cmd.Run()
	if err == nil {
		return fmt.Errorf("%s is tracked by git; --move does not change it: remove the entries there by hand, for everyone who works on the project", path)
	}
	if exit, ok := err.(*osexec.ExitError); ok && exit.ExitCode() == 1 {
		return nil
	}
	return fmt.Errorf("%s: git does not say whether it is tracked, so --move does not change it: %w", path, err)
}

// inRepository reports whether a directory above path has a .git.
func inRepository(path string) bool {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
