//go:build unix

package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Flags for opening: do not block on a FIFO; open only a directory.
const (
	noWait        = unix.O_NONBLOCK | unix.O_NOCTTY
	onlyDirectory = unix.O_DIRECTORY
)

func executable(info fs.FileInfo) bool { return info.Mode()&0o111 != 0 }

// checkOwner returns an error unless only the user can write the store's directory dir, and only
// the user and root can replace it.
func checkOwner(dir, parent fs.FileInfo) error {
	d, ok := dir.Sys().(*syscall.Stat_t)
	p, ok2 := parent.Sys().(*syscall.Stat_t)
	user := uint32(os.Geteuid())
	switch {
	case !ok || !ok2:
		return errors.New("has an unknown owner")
	case d.Uid != user:
		return fmt.Errorf("belongs to user %d, not to you", d.Uid)
	case dir.Mode()&0o077 != 0:
		return errors.New("is open to others; fix with chmod 700, if nobody has changed it")
	case p.Uid != user && p.Uid != 0:
		return fmt.Errorf("is in a directory of user %d", p.Uid)
	case parent.Mode()&0o002 != 0 || parent.Mode()&0o020 != 0 && p.Gid != p.Uid:
		return errors.New("is in a directory that others can write to; fix with chmod go-w")
	}
	return nil
}

// isNotFolder reports whether an error means that a path is not a directory.
func isNotFolder(err error) bool { return errors.Is(err, unix.ENOTDIR) }
