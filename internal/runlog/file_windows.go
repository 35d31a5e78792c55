package runlog

import (
	"os"

	"golang.org/x/sys/windows"
)

const (
	noFollow = 0
	noWait   = 0
)

// tryLock locks f until it is closed. It returns false if another process holds the lock.
func tryLock(f *os.File) bool {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped)) == nil
}
