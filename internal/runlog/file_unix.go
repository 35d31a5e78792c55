//go:build unix

package runlog

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// openAppend opens a file for appending and creates it if it does not exist. Neither opening nor
// writing to it blocks.
func openAppend(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
}

func openRead(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
}

func openLock(dir string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
}

// exclude does nothing: the system appends a line with one write.
func exclude(string) (release func()) { return func() {} }

// moveOver renames a file, also to the name of an existing one.
func moveOver(from, to string) error { return os.Rename(from, to) }
