package state

import (
	"os"

	"golang.org/x/sys/windows"
)

// SyncDirectory does nothing: Windows flushes no directories.
func SyncDirectory(string) error { return nil }

// lock waits for the lock of f.
func lock(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, new(windows.Overlapped))
}
