package own

import (
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// foreign are the kinds of file systems whose times of birth are not used: those of other
// computers, which have other clocks, and overlays, in which a changed file is born again.
var foreign = [...]uint32{
	unix.OVERLAYFS_SUPER_MAGIC, unix.NFS_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.SMB_SUPER_MAGIC,
	unix.V9FS_MAGIC, unix.FUSE_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC, unix.AFS_SUPER_MAGIC,
}

func keepsBirths(dir string) bool {
	var fs unix.Statfs_t
	return unix.Statfs(dir, &fs) == nil && !slices.Contains(foreign[:], uint32(fs.Type))
}

func stat(path string) (f file, ok bool) {
	var s unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT, unix.STATX_TYPE|unix.STATX_UID|unix.STATX_BTIME, &s)
	if err != nil || s.Mask&unix.STATX_BTIME == 0 {
		return file{}, false
	}
	return file{
		born:   time.Unix(s.Btime.Sec, int64(s.Btime.Nsec)),
		device: unix.Mkdev(s.Dev_major, s.Dev_minor),
		mine:   s.Uid == uint32(os.Geteuid()),
		folder: s.Mode&unix.S_IFMT == unix.S_IFDIR,
		link:   s.Mode&unix.S_IFMT == unix.S_IFLNK,
	}, true
}
