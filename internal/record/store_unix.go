//go:build unix

package record

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// checkOwner returns an error unless only the user can write the directory.
func checkOwner(dir string, info fs.FileInfo) error {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Geteuid() {
		return fmt.Errorf("%s belongs to another user", dir)
	}
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("others can write %s; fix with: chmod 700 %s", dir, dir)
	}
	return nil
}

// Exposed reports whether others can list the records. They cannot read them.
func (s Store) Exposed() bool {
	info, err := os.Lstat(s.Dir)
	return err == nil && info.Mode().Perm()&0o077 != 0
}
