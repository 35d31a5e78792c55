//go:build unix

package owners

import (
	"fmt"
	"io/fs"
	"syscall"
)

func checkRoot(path string) error {
	return eachPhysical(path, func(path string, info fs.FileInfo) error {
		stat, ok := info.Sys().(*syscall.Stat_t)
		switch {
		case !ok:
			return Unknown(path, syscall.ENOTSUP)
		case stat.Uid != 0:
			return &Error{path, fmt.Sprintf("belongs to user %d, not to root", stat.Uid), "chown -h root " + ShellWord(path)}
		case info.Mode()&fs.ModeSymlink != 0: // only who can write its folder can replace it
		case info.Mode()&0o022 != 0:
			return &Error{path, "can be changed by others than root", "chmod go-w " + ShellWord(path)}
		}
		return nil
	})
}
