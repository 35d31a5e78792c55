package trust

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// A file system of Windows has nothing that waits for another end.
const (
	noWait        = 0
	onlyDirectory = 0
)

func executable(fs.FileInfo) bool { return false }

// lock locks f until it is closed; without wait it is false if another
// process has it.
func lock(f *os.File, wait bool) (bool, error) {
	var flags uint32 = windows.LOCKFILE_EXCLUSIVE_LOCK
	if !wait {
		flags |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if !wait && errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// syncDirectory does nothing: directories cannot be synchronised.
func syncDirectory(string) error { return nil }

// ours looks at nothing: who can write a directory is in its access control
// list, and those of a user's profile are the user's.
func ours(_, _ fs.FileInfo) error { return nil }

// isNotFolder reports whether an error says that a file is in the place of a
// directory.
func isNotFolder(err error) bool { return errors.Is(err, windows.ERROR_DIRECTORY) }
