//go:build unix

package owners

import (
	"io/fs"
	"os"
	"syscall"
)

// Known reports whether files have owners and modes.
const Known = true

// CheckInfo checks the file at path, which must not be a symbolic link.
func CheckInfo(path string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Unknown(path, syscall.ENOTSUP)
	}
	return owner{mode: info.Mode(), uid: stat.Uid, gid: stat.Gid, user: uint32(os.Geteuid())}.check(path)
}
