//go:build unix

package state

import (
	"os"
	"syscall"
)

// keepOwner gives a new file the owner and the group of the old one, if permitted: root may edit
// the settings of other users, and the mode grants rights to the group.
func keepOwner(path, old string) {
	was, now := owner(old), owner(path)
	if was != nil && now != nil && (was.Uid != now.Uid || was.Gid != now.Gid) {
		_ = os.Chown(path, int(was.Uid), int(was.Gid))
	}
}

// owner returns the metadata of a file; nil if there is none.
func owner(path string) *syscall.Stat_t {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	stat, _ := info.Sys().(*syscall.Stat_t)
	return stat
}
