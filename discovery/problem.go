package discovery

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// problem returns a diagnostic about the whole of path, with its code's
// severity.
func problem(path, code, message string) spec.Diagnostic {
	return spec.Diagnostic{Path: path, Severity: spec.SeverityOf(code), Code: code, Message: message}
}

// codeOf returns the code for a file system error.
func codeOf(err error) string {
	switch {
	case errors.Is(err, errNotRegular):
		return "not-regular"
	case isLoop(err), errors.Is(err, fs.ErrNotExist):
		return "link"
	}
	return "unreadable"
}

// sentence returns err as the message of a diagnostic that names the path.
func sentence(err error) string {
	switch codeOf(err) {
	case "not-regular":
		return "not a regular file"
	case "link":
		return "a symbolic link leads nowhere or in a loop"
	}
	return fmt.Sprintf("cannot be read: %v", shown.Cause(err))
}

// scopeProblem returns the diagnostic for a hooks directory that cannot be
// listed. A missing directory is not a problem.
func scopeProblem(dir string, err error) []spec.Diagnostic {
	var unread *unreadFolders
	if errors.As(err, &unread) {
		return []spec.Diagnostic{problem(dir, "scope-size", unread.Error())}
	}
	if errors.Is(err, fs.ErrNotExist) {
		if link := danglingPart(dir); link != "" {
			return []spec.Diagnostic{problem(link, "link", "a symbolic link that leads nowhere")}
		}
		return nil
	}
	return []spec.Diagnostic{problem(dir, codeOf(err), fmt.Sprintf("the hooks in it cannot be listed: %v", shown.Cause(err)))}
}

// danglingPart returns the dangling symbolic link in path, "" if there is none.
// A path that does not exist is not a problem.
func danglingPart(path string) string {
	for at := path; ; at = filepath.Dir(at) {
		if info, err := os.Lstat(at); err == nil {
			if paths.IsDangling(at, info) {
				return at
			}
			return ""
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// maxProblems limits the diagnostics of a directory, for folders without a hook.
const maxProblems = 100

// bounded truncates the diagnostics of a directory, and adds the number of
// those omitted.
func bounded(dir string, diagnostics []spec.Diagnostic) []spec.Diagnostic {
	left := len(diagnostics) - maxProblems
	if left <= 0 {
		return diagnostics
	}
	return append(diagnostics[:maxProblems], problem(dir, "left-out", fmt.Sprintf("%d more problems in its folders are not listed", left)))
}
