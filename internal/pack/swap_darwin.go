package pack

import (
	"errors"

	"golang.org/x/sys/unix"
)

// swap replaces the folder at with the folder fresh, in one step where the file system can exchange
// two names, so that a guard is never missing.
func swap(fresh, at, old string) error {
	err := unix.RenamexNp(fresh, at, unix.RENAME_SWAP)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return swapByRenaming(fresh, at, old)
	}
	return err
}
