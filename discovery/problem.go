package discovery

import (
	"errors"
	"fmt"
	"io/fs"

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
