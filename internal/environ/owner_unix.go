//go:build unix

package environ

import (
	"io/fs"
	"syscall"
)

// onlyRoot reports whether only root can change a file.
func onlyRoot(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid == 0 && info.Mode()&0o022 == 0
}
