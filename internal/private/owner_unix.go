//go:build unix

package private

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

func checkOwner(dir string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return fmt.Errorf("the owner of %s cannot be read", dir)
	case stat.Uid != 0 && stat.Uid != uint32(os.Geteuid()):
		return fmt.Errorf("%s belongs to another user", dir)
	case info.Mode()&0o002 != 0 || info.Mode()&0o020 != 0 && stat.Gid != stat.Uid:
		return fmt.Errorf("others can write to %s; fix with: chmod go-w %s", dir, dir)
	}
	return nil
}
