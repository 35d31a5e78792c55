package trust

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/spec"
)

// look keeps the stamp of a file that is about to be read. Of several stamps, the earliest counts.
func (l *lookup) look(path string) state.Stamp {
	if !l.stamped {
		return state.Stamp{}
	}
	f := state.StampFile(path)
	l.files = append(l.files, f)
	return f.Stamp
}

// lookHook is look for the HOOK.md in a folder.
func (l *lookup) lookHook(folder string) {
	if l.stamped && l.look(filepath.Join(folder, spec.HookFile)) == (state.Stamp{}) {
		l.look(folder)
		l.look(filepath.Join(folder, spec.OtherHookFile))
	}
}

// Files returns the stamps of the files that decided so far, if Options.Stamped is set.
func (c *Check) Files() []state.Stamped { return c.files }

// Counted is Counts if it was already called with hooks; known is false if it was not.
func (c *Check) Counted(hooks string) (counts, known bool) {
	counts, known = c.counted[hooks]
	return counts, known
}

// Current reports whether another Check would decide the same, as long as no file of Files, no
// HOOK.md in the project and no result of the search for the project has changed. The owner of the
// store, the links that lead to it, and the repositories are looked up again.
func (c *Check) Current() bool {
	if c.err != nil || len(c.errs) > 0 || c.compared {
		return false
	}
	if _, err := Open(c.store.dir); err != nil {
		return false
	}
	if c.storeAt != "" && (paths.Physical(c.store.dir) != c.storeAt || paths.Physical(c.Home) != c.homeAt) {
		return false
	}
	now := newLookup(c.store)
	for dir := range maps.Keys(c.trees) {
		if !slices.Equal(now.treesAbove(dir), c.trees[dir]) {
			return false
		}
	}
	return true
}
