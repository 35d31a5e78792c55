//go:build unix

package install

import (
	"fmt"
	"os"
	"syscall"
)

// lockFile waits for the lock on f. Closing f releases the lock.
func lockFile(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }

// keepOwner gives a new file the owner of the old one, if permitted: root may
// edit the settings of other users.
func keepOwner(path, old string) {
	info, err := os.Stat(old)
	if err != nil {
		return
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Geteuid() {
		_ = os.Chown(path, int(stat.Uid), int(stat.Gid))
	}
}

// executableFile returns why a file cannot be executed.
func executableFile(path string, info os.FileInfo) error {
	if info.Mode()&0o111 == 0 {
		return fmt.Errorf("%s is not executable; allow it with: chmod +x %s", path, posix.quote(path))
	}
	return nil
}
