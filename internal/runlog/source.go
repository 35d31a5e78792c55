package runlog

import (
	"cmp"
	"path/filepath"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// Source returns the source of the hook in a folder, as hooks.lock names it, or the folder if it
// is from no pack.
func Source(folder string) string {
	const maxLock = 1 << 20
	var lock struct {
		Hooks map[string]struct{ Source string }
	}
	text, _, err := paths.Read(filepath.Join(filepath.Dir(filepath.Dir(folder)), "hooks.lock"), maxLock)
	if err == nil {
		_, err = tree.DecodeTOML(text, &lock)
	}
	if err != nil {
		return folder
	}
	return cmp.Or(lock.Hooks[filepath.Base(folder)].Source, folder)
}
