//go:build unix

package trial

import (
	"io/fs"
	"os"
	"syscall"
)

// lock locks a directory until the file is closed or the process ends. It returns nil if
// another process holds the lock, or locking fails.
func lock(dir string) *os.File {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		f.Close()
		return nil
	}
	return f
}

// isOwn reports whether the user owns a file and nobody else can write it.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && info.Mode().Perm()&0o077 == 0
}
