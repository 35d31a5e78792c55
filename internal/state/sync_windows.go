package state

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Sync does nothing: Windows flushes no directories, and files only while they are open for writing.
func Sync([]string) error { return nil }

// LockFile locks f until it is closed. Without wait, it returns false if another process holds the
// lock.
func LockFile(f *os.File, wait bool) (bool, error) {
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
