package paths

import "golang.org/x/sys/unix"

func isNoExec(path string) bool {
	var fs unix.Statfs_t
	return unix.Statfs(path, &fs) == nil && fs.Flags&unix.MS_NOEXEC != 0 // ST_NOEXEC has the same value
}
