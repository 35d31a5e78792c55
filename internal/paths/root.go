package paths

import (
	"io/fs"
	"os"
)

// CheckRoot checks that only the system's administrator can change files (D82): root owns each, and
// each physical parent up to the root directory, and nobody else can write it. Parents of symbolic
// links and of their targets count. On Windows, the administrators and the system itself are root;
// parents are checked up to the first that a user cannot replace.
func CheckRoot(paths ...string) error {
	for _, path := range paths {
		if err := checkRoot(path); err != nil {
			return err
		}
	}
	return nil
}

// CheckRootIn is CheckRoot for a file in a folder that CheckRoot has accepted. It looks at one file,
// unless that is a link.
func CheckRootIn(path string) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return UnknownOwner(path, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return checkRoot(path)
	}
	return checkRootOf(path, info)
}

// CheckReadable checks that every user can read files: whatever the umask was with which root created
// them or a parent. It checks nothing on Windows.
func CheckReadable(paths ...string) error { return checkAll(0o4, paths) }

// CheckRunnable checks that every user can run programs.
func CheckRunnable(paths ...string) error { return checkAll(0o5, paths) }
