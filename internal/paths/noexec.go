package paths

import "path/filepath"

// NoExec returns where the file system of a file is mounted, if the system executes no programs on it;
// otherwise "". Its path is physical.
func NoExec(path string) (mount string) {
	if !isNoExec(path) {
		return ""
	}
	mount = Physical(path)
	for parent := filepath.Dir(mount); parent != mount && isNoExec(parent); parent = filepath.Dir(mount) {
		mount = parent
	}
	return mount
}
