//go:build unix

package discovery

import (
	"io/fs"
	"os"
	"syscall"
)

// hasOwners reports whether files have owners and modes.
const hasOwners = true

func checkInfo(path string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return unknown(path, syscall.ENOTSUP)
	}
	return owner{mode: info.Mode(), uid: stat.Uid, gid: stat.Gid, user: uint32(os.Geteuid())}.check(path)
}
