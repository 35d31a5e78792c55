//go:build unix

package paths

import (
	"io/fs"
	"os"
	"syscall"
)

// HasOwners reports whether files have owners and modes.
const HasOwners = true

// CheckInfo checks the file at path, which must not be a symbolic link.
func CheckInfo(path string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return UnknownOwner(path, syscall.ENOTSUP)
	}
	return owner{mode: info.Mode(), uid: stat.Uid, gid: stat.Gid, user: uint32(os.Geteuid())}.check(path)
}
