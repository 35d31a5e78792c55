package pack

import "golang.org/x/sys/unix"

// exchange exchanges two names in one step.
func exchange(a, b string) error { return unix.RenamexNp(a, b, unix.RENAME_SWAP) }
