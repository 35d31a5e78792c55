package state

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncAll flushes the file system that contains path.
func syncAll(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Syncfs(int(f.Fd()))
}
