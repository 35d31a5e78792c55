//go:build unix

package environ

import "github.com/agent-hooks/agent-hooks/internal/place"

func system() []string {
	return []string{"PATH=" + place.SystemPath(), "HOME=/", "LANG=C.UTF-8", "PYTHONNOUSERSITE=1", "PYTHONSAFEPATH=1"}
}
