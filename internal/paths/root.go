package paths

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// CheckReadable checks that every user can read files: whatever the umask was with which root created
// them or a parent. It checks nothing on Windows.
func CheckReadable(paths ...string) error { return checkAll(0o4, paths) }

// CheckRunnable checks that every user can run programs.
func CheckRunnable(paths ...string) error { return checkAll(0o5, paths) }

// eachPhysical calls check with each file on the way to path as the system resolves it, links
// included, the last one last.
func eachPhysical(path string, check func(path string, info fs.FileInfo) error) error {
	at, rest, links := filepath.VolumeName(path)+string(filepath.Separator), path[len(filepath.VolumeName(path)):], 0
	info, err := os.Lstat(at)
	for {
		if err != nil {
			return UnknownOwner(at, err)
		}
		if err := check(at, info); err != nil {
			return err
		}
		element := ""
		for element == "" || element == "." {
			if rest == "" {
				return nil
			}
			element, rest, _ = strings.Cut(strings.TrimLeft(rest, string(filepath.Separator)), string(filepath.Separator))
		}
		if element == ".." {
			at = filepath.Dir(at)
			info, err = os.Lstat(at)
			continue
		}
		next := filepath.Join(at, element)
		if info, err = os.Lstat(next); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		if err := check(next, info); err != nil {
			return err
		}
		if links++; links > MaxLinks {
			return UnknownOwner(path, errors.New("too many symbolic links"))
		}
		target, err := os.Readlink(next)
		if err != nil {
			return UnknownOwner(next, err)
		}
		if rest = target + string(filepath.Separator) + rest; filepath.IsAbs(target) {
			at, rest = filepath.VolumeName(target)+string(filepath.Separator), rest[len(filepath.VolumeName(target)):]
		}
		if info, err = os.Lstat(at); err != nil {
			return UnknownOwner(at, err)
		}
	}
}
