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

// tryLock locks f until it is closed, if no one else has.
func tryLock(f *os.File) bool {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
}
