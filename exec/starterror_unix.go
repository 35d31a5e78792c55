//go:build unix

package exec

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// resourceCause returns a cause that is unrelated to the file, "" if err is of
// another kind.
func resourceCause(err error) string {
	switch {
	case errors.Is(err, unix.ETXTBSY):
		return "it is still being written by another process (text file busy)"
	case errors.Is(err, unix.E2BIG):
		return "its arguments and environment are too long for the system"
	case errors.Is(err, unix.EAGAIN):
		return "the system allows no more processes"
	case errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE):
		return "too many open files"
	case errors.Is(err, unix.ENOMEM):
		return "out of memory"
	}
	return ""
}

// hasShebang reports whether the system reads #! lines.
const hasShebang = true

func isBadFormat(err error) bool { return errors.Is(err, unix.ENOEXEC) }

// isExecutable reports whether any execute bit is set and this process has the
// permission.
func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&0o111 != 0 && unix.Access(path, unix.X_OK) == nil
}
