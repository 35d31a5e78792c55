package trust

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/windows"
)

// Opening a file never blocks on Windows.
const (
	noWait        = 0
	onlyDirectory = 0
)

func executable(fs.FileInfo) bool { return false }

// checkOwner checks nothing: access control lists decide who can write a directory, and by default
// only the user can write the user's profile.
func checkOwner(_, _ fs.FileInfo) error { return nil }

// isNotFolder reports whether an error means that a path is not a directory.
func isNotFolder(err error) bool { return errors.Is(err, windows.ERROR_DIRECTORY) }
