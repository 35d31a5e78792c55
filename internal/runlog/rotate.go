package runlog

import (
	"os"
	"path/filepath"
)

// rotate moves a large log aside, in the process that gets the lock; the others go on
// appending, to either file, and nothing waits. What fails here leaves the
// log as it is.
func rotate(dir string) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return
	}
	defer f.Close() // which unlocks
	if !tryLock(f) || !isLarge(dir) {
		return // another process rotates, or has just done so
	}
	os.Rename(filepath.Join(dir, fileName), filepath.Join(dir, rotatedName))
}

func isLarge(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, fileName))
	return err == nil && info.Size() > maxFile
}
