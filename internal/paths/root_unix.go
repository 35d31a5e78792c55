//go:build unix

package paths

import (
	"fmt"
	"io/fs"
	"syscall"
)

// checkAll checks the rights that everybody has on files, and to enter their parents.
func checkAll(rights fs.FileMode, paths []string) error {
	for _, path := range paths {
		err := eachPhysical(path, func(path string, info fs.FileInfo) error {
			switch mode := info.Mode(); {
			case mode&fs.ModeSymlink != 0:
			case mode.IsDir() && mode&0o1 == 0:
				return &OwnerError{path, "cannot be entered by users", "chmod a+x " + ShellWord(path)}
			case !mode.IsDir() && mode&rights != rights:
				return &OwnerError{path, "cannot be read or run by users", "chmod a+rX " + ShellWord(path)}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func checkRoot(path string) error {
	return eachPhysical(path, checkRootOf)
}

// checkRootOf checks one file or link, without its parents.
func checkRootOf(path string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return UnknownOwner(path, syscall.ENOTSUP)
	case stat.Uid != 0:
		return &OwnerError{path, fmt.Sprintf("belongs to user %d, not to root", stat.Uid), "chown -h root " + ShellWord(path)}
	case info.Mode()&fs.ModeSymlink != 0: // only who can write its folder can replace it
	case info.Mode()&0o022 != 0:
		return &OwnerError{path, "can be changed by others than root", "chmod go-w " + ShellWord(path)}
	}
	return nil
}
