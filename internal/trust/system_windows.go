package trust

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// Opening a file never blocks on Windows.
const (
	noWait        = 0
	onlyDirectory = 0
)

func executable(fs.FileInfo) bool { return false }

// lock locks f until it is closed. Without wait, it returns false if another process holds the
// lock.
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

// checkOwner checks nothing: access control lists decide who can write a directory, and by default
// only the user can write the user's profile.
func checkOwner(_, _ fs.FileInfo) error { return nil }

// isNotFolder reports whether an error means that a path is not a directory.
func isNotFolder(err error) bool { return errors.Is(err, windows.ERROR_DIRECTORY) }
