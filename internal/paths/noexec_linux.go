package paths

import "syscall"

func isNoExec(path string) bool {
	var fs syscall.Statfs_t
	return syscall.Statfs(path, &fs) == nil && fs.Flags&syscall.MS_NOEXEC != 0 // ST_NOEXEC has the same value
}
