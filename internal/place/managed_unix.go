//go:build unix

package place

import "runtime"

// ManagedHooks returns the directory of the administrator's hooks (D82): /etc/agents/hooks, on macOS
// /Library/Application Support/agents/hooks, on Windows agents\hooks in the known folder ProgramData.
// No variable and no option can name another one.
func ManagedHooks() string {
	if runtime.GOOS == "darwin" {
		return "/Library/Application Support/agents/hooks"
	}
	return "/etc/agents/hooks"
}

// SystemPath returns the PATH of managed hooks: folders that only root can change.
func SystemPath() string {
	if runtime.GOOS == "darwin" {
		return "/usr/sbin:/usr/bin:/sbin:/bin"
	}
	return "/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin"
}
