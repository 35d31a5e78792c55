package exec

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// StartError is the reason why a process could not be started (D38).
type StartError struct {
	Path  string // the program
	Cause string // the actual cause in words, and how to fix it
	Err   error  // the system's error
}

// Error returns a message with the program and the cause.
func (e *StartError) Error() string { return fmt.Sprintf("cannot start %q: %s", e.Path, e.Cause) }

// Unwrap returns the system's error.
func (e *StartError) Unwrap() error { return e.Err }

// maxShebang is longer than any #! line that a kernel reads.
const maxShebang = 512

func startError(c *Command, err error) error {
	return &StartError{Path: c.Path, Cause: startCause(c, err), Err: err}
}

// startCause determines the cause of a system error: "no such file" may mean a
// missing program, interpreter or working directory.
func startCause(c *Command, err error) string {
	if strings.ContainsRune(strings.Join(c.Args, "")+strings.Join(c.Env, "")+c.Path+c.Dir, 0) {
		return "a NUL byte in its path, arguments, environment or working directory"
	}
	if cause := cmp.Or(resourceCause(err), dirCause(c.Dir), fileCause(c.Path)); cause != "" {
		return cause
	}
	switch {
	case isBadFormat(err):
		return formatCause(c.Path)
	case errors.Is(err, fs.ErrNotExist):
		return missingCause(c.Path)
	case errors.Is(err, fs.ErrPermission):
		return deniedCause(c.Path)
	}
	return err.Error()
}

func dirCause(dir string) string {
	if dir == "" {
		return ""
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("the working directory %q does not exist", dir)
	case err != nil:
		return fmt.Sprintf("the working directory cannot be entered: %v", err)
	case !info.IsDir():
		return fmt.Sprintf("the working directory %q is not a directory", dir)
	}
	return ""
}

func fileCause(path string) string {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "a directory above it cannot be searched: no permission"
	case err != nil:
		return err.Error()
	case info.IsDir():
		return "it is a directory"
	case !info.Mode().IsRegular():
		return "it is not a regular file"
	}
	return ""
}

// missingCause returns the cause for a program that exists.
func missingCause(path string) string {
	interpreter, crlf := shebang(path)
	switch {
	case interpreter == "":
		return "the loader or a library that it needs does not exist (built for another system?)"
	case crlf:
		return fmt.Sprintf("its #! line ends in CRLF, so its interpreter is taken as %q: save it with LF line endings (sed -i 's/\\r$//' FILE)", interpreter+"\r")
	}
	if _, err := os.Stat(interpreter); errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("the interpreter %q of its #! line does not exist", interpreter)
	}
	return fmt.Sprintf("the interpreter %q of its #! line cannot be executed: its own interpreter or loader does not exist", interpreter)
}

func deniedCause(path string) string {
	if mount := paths.NoExec(path); mount != "" {
		return fmt.Sprintf("the file system at %q is mounted noexec", mount)
	}
	if !isExecutable(path) {
		return "no execute permission: fix with: chmod +x"
	}
	if interpreter, _ := shebang(path); interpreter != "" {
		if mount := paths.NoExec(interpreter); mount != "" {
			return fmt.Sprintf("the file system at %q with the interpreter %q of its #! line is mounted noexec", mount, interpreter)
		}
		if info, err := os.Stat(interpreter); err == nil && (info.IsDir() || !isExecutable(interpreter)) {
			return fmt.Sprintf("the interpreter %q of its #! line is not executable", interpreter)
		}
	}
	return "execution is denied, though it is executable (a security policy)"
}

func formatCause(path string) string {
	head := readHead(path)
	switch {
	case len(head) == 0:
		return "it is empty, or cannot be read"
	case !hasShebang:
		return "it is not a program for this system, or it is damaged"
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf#!")):
		return "it begins with a byte-order mark: save it without one"
	case bytes.HasPrefix(head, []byte("#!")):
		return "its #! line names no interpreter that the system accepts"
	case bytes.IndexByte(head, 0) >= 0:
		return "it is not a program for this system, or it is damaged"
	}
	return "it has no #! line: add one for its language, such as #!/bin/sh"
}

// shebang returns the interpreter of path's #! line, "" if it has none, and
// whether its name would end in a carriage return.
func shebang(path string) (interpreter string, crlf bool) {
	rest, ok := bytes.CutPrefix(readHead(path), []byte("#!"))
	if !ok {
		return "", false
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	word, _, _ := strings.Cut(strings.Trim(string(line), " \t"), " ")
	return strings.CutSuffix(word, "\r")
}

// readHead reads the beginning of a regular file.
func readHead(path string) []byte {
	head, _, _ := paths.Read(path, maxShebang)
	return head
}
