//go:build unix

package state

import (
	"errors"
	"os"
	"syscall"
)

// Sync flushes files and directories of one file system to disk: each, or with one call if there are many.
func Sync(paths []string) error {
	const many = 64
	if len(paths) > many && syncAll(paths[0]) == nil {
		return nil
	}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		err = f.Sync()
		f.Close()
		if err != nil && !errors.Is(err, syscall.EINVAL) { // returned by some file systems
			return err
		}
	}
	return nil
}

// LockFile locks f until it is closed. Without wait, it returns false if another process holds the
// lock.
func LockFile(f *os.File, wait bool) (bool, error) {
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	for {
		err := syscall.Flock(int(f.Fd()), how)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, err
		}
	}
}
