package environ

import (
	"runtime"
	"slices"
	"strings"
)

// Managed returns the environment of managed hooks (D82): a fixed list, in which nothing comes from
// the caller, and the variables in keep, which the administrator passes on. The home directory is one
// that users cannot write, so that no interpreter or program reads their files.
func Managed(environ, keep []string) []string {
	list := system()
	for _, name := range keep {
		for _, kv := range slices.Backward(environ) {
			if key, _, _ := strings.Cut(kv, "="); key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name) {
				list = append(list, kv)
				break
			}
		}
	}
	return list
}
