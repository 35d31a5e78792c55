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

// lock waits for the lock of f.
func lock(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
