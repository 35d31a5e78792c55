//go:build unix

package environ

import (
	"io/fs"
	"strings"
	"syscall"
)

// onlyRoot reports whether only root can change a file.
func onlyRoot(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid == 0 && info.Mode()&0o022 == 0
}

// isWritable reports whether this process can create files in a directory. In
// /sys nobody can, whatever its permissions are.
func isWritable(dir string) bool {
	const write, search = 2, 1
	return syscall.Access(dir+"/.", write|search) == nil && dir != "/sys" && !strings.HasPrefix(dir, "/sys/")
}
