//go:build unix

package state

import (
	"errors"
	"os"
	"syscall"
)

// SyncDirectory flushes the entries of dir to disk.
func SyncDirectory(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) { // returned by some file systems
		return err
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
