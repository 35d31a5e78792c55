//go:build darwin || freebsd

package paths

import "syscall"

func isNoExec(path string) bool {
	var fs syscall.Statfs_t
	return syscall.Statfs(path, &fs) == nil && fs.Flags&mntNoExec != 0
}

const mntNoExec = 0x4 // MNT_NOEXEC
