package runlog

import (
	"os"
	"path/filepath"
)

// rotate renames a large log in the process that gets the lock. Other processes continue to
// append to either file, and none blocks. On an error, the log is not changed.
func rotate(dir string) {
	f, err := openLock(dir)
	if err != nil {
		return
	}
	defer f.Close() // unlocks
	if !tryLock(f) || !isLarge(dir) {
		return // another process rotates, or has just done so
	}
	moveOver(filepath.Join(dir, fileName), filepath.Join(dir, rotatedName))
}

func isLarge(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, fileName))
	return err == nil && info.Size() > maxFile
}
