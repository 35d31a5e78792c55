package runlog

import (
	"cmp"
	"path/filepath"

	"github.com/BurntSushi/toml"

	"github.com/agent-hooks/agent-hooks/internal/paths"
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
		err = toml.Unmarshal(text, &lock)
	}
	if err != nil {
		return folder
	}
	return cmp.Or(lock.Hooks[filepath.Base(folder)].Source, folder)
}
