//go:build unix

package pack

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile locks f until it is closed.
func lockFile(f *os.File) error {
	for {
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
