//go:build darwin || freebsd

package own

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// keepsBirths excludes the file systems of other computers, which have other clocks.
func keepsBirths(dir string) bool {
	var fs unix.Statfs_t
	return unix.Statfs(dir, &fs) == nil && fs.Flags&unix.MNT_LOCAL != 0
}

func stat(path string) (f file, ok bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return file{}, false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok || s.Birthtimespec.Sec <= 0 {
		return file{}, false
	}
	return file{
		born:   time.Unix(int64(s.Birthtimespec.Sec), int64(s.Birthtimespec.Nsec)),
		device: uint64(s.Dev),
		mine:   s.Uid == uint32(os.Geteuid()),
		folder: info.IsDir(),
		link:   info.Mode()&os.ModeSymlink != 0,
	}, true
}
