//go:build unix

package runlog

import (
	"os"

	"golang.org/x/sys/unix"
)

const (
	noFollow = unix.O_NOFOLLOW
	noWait   = unix.O_NONBLOCK
)

// tryLock locks f until it is closed. It returns false if another process holds the lock.
func tryLock(f *os.File) bool {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
}
