//go:build unix

package atomicfile

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
