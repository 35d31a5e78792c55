package exec

import (
	"errors"

	"golang.org/x/sys/windows"
)

// resourceCause returns a cause that is unrelated to the file, "" if err is of
// another kind.
func resourceCause(err error) string {
	switch {
	case isBusy(err):
		return "it is still being written, or checked, by another process"
	case errors.Is(err, windows.ERROR_FILENAME_EXCED_RANGE):
		return "its arguments and environment are too long for the system"
	case errors.Is(err, windows.ERROR_NOT_ENOUGH_MEMORY), errors.Is(err, windows.ERROR_NO_SYSTEM_RESOURCES):
		return "out of memory"
	}
	return ""
}

func isBadFormat(err error) bool { return errors.Is(err, windows.ERROR_BAD_EXE_FORMAT) }

// hasShebang is false: the system does not read #! lines.
const hasShebang = false

// isExecutable returns true: Windows has no permission bits.
func isExecutable(string) bool { return true }
