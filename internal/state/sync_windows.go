package state

import (
	"os"

	"golang.org/x/sys/windows"
)

// Sync does nothing: Windows flushes no directories, and files only while they are open for writing.
func Sync([]string) error { return nil }

// lock waits for the lock of f.
func lock(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, new(windows.Overlapped))
}
