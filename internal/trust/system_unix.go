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

// Flags for opening: without waiting for the other end of a FIFO, and only a
// directory.
const (
	noWait        = unix.O_NONBLOCK | unix.O_NOCTTY
	onlyDirectory = unix.O_DIRECTORY
)

func executable(info fs.FileInfo) bool { return info.Mode()&0o111 != 0 }

// lock locks f until it is closed; without wait it is false if another
// process has it.
func lock(f *os.File, wait bool) (bool, error) {
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	for {
		err := unix.Flock(int(f.Fd()), how)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return false, err
		}
	}
}

// syncDirectory brings the names in dir to the disk.
func syncDirectory(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, unix.EINVAL) { // which some file systems say
		return err
	}
	return nil
}

// ours is an error unless the user alone can write the store in dir, and
// nobody but the user and root can put another in its place.
func ours(dir, parent fs.FileInfo) error {
	d, ok := dir.Sys().(*syscall.Stat_t)
	p, ok2 := parent.Sys().(*syscall.Stat_t)
	user := uint32(os.Geteuid())
	switch {
	case !ok || !ok2:
		return errors.New("has no owner that can be found out")
	case d.Uid != user:
		return fmt.Errorf("belongs to user %d, not to you", d.Uid)
	case dir.Mode()&0o077 != 0:
		return errors.New("is open to others; fix with chmod 700, if nobody has changed it")
	case p.Uid != user && p.Uid != 0:
		return fmt.Errorf("lies in a directory of user %d", p.Uid)
	case parent.Mode()&0o002 != 0 || parent.Mode()&0o020 != 0 && p.Gid != p.Uid:
		return errors.New("lies in a directory that others can write; fix with chmod go-w")
	}
	return nil
}

// isNotFolder reports whether an error says that a file is in the place of a
// directory.
func isNotFolder(err error) bool { return errors.Is(err, unix.ENOTDIR) }
