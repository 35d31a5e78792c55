package discovery

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// problem returns a diagnostic about the whole of path, with its code's
// severity.
func problem(path, code, message string) spec.Diagnostic {
	return spec.Diagnostic{Path: path, Severity: spec.SeverityOf(code), Code: code, Message: message}
}

// problemAt returns a diagnostic about a line of path.
func problemAt(path string, line int, code, message string) spec.Diagnostic {
	d := problem(path, code, message)
	d.Line, d.Column = line, 1
	return d
}

// codeOf returns the code for a file system error.
func codeOf(err error) string {
	switch {
	case errors.Is(err, errNotRegular):
		return "not-regular"
	case errors.Is(err, syscall.ELOOP), errors.Is(err, errorCantResolveFilename), errors.Is(err, fs.ErrNotExist):
		return "link"
	}
	return "unreadable"
}

// errorCantResolveFilename is what Windows returns for too many links.
const errorCantResolveFilename = syscall.Errno(1921)

func isNotFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

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
	if !errors.Is(err, fs.ErrNotExist) {
		return []spec.Diagnostic{problem(dir, codeOf(err), fmt.Sprintf("the hooks in it cannot be listed: %v", shown.Cause(err)))}
	}
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Lstat(at)
		switch {
		case err == nil && paths.IsDangling(at, info):
			return []spec.Diagnostic{problem(at, "link", "a symbolic link that leads nowhere")}
		case err == nil || at == filepath.Dir(at):
			return nil
		}
	}
}

// maxProblems limits the diagnostics of a directory, for folders without a hook.
const maxProblems = 100
