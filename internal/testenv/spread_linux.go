package testenv

import (
	"os"

	"golang.org/x/sys/unix"
)

// spread asks the file system to place the directories in dir far from each other, as chattr +T
// does. Otherwise, ext4 puts the files of all tests in one group, where it looks at each of those
// that other tests have removed in the last seconds before it creates a file.
func spread(dir string) {
	const topOfHierarchy = 0x20000 // FS_TOPDIR_FL
	f, err := os.Open(dir)
	if err != nil {
		return
	}
	defer f.Close()
	flags, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	if err == nil {
		_ = unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags|topOfHierarchy)
	}
}
