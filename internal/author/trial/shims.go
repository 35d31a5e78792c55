package trial

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
)

// Shims explains why a hook may not find a program in a Scratch: version managers put shims
// into PATH, which look for the real program below HOME. environ, as KEY=value, is the user's
// own. It returns "" if the hook's failure is not typical of shims, or PATH has none.
func Shims(environ []string, h *agenthooks.HookReport) string {
	if h == nil || h.Outcome != agenthooks.Failed || h.Status != 126 && h.Status != 127 {
		return ""
	}
	homes := []string{lookup(environ, "HOME"), lookup(environ, "USERPROFILE")}
	for _, dir := range filepath.SplitList(lookup(environ, "PATH")) {
		below := func(home string) bool {
			rel, err := filepath.Rel(home, dir)
			return home != "" && err == nil && filepath.IsLocal(rel)
		}
		if filepath.Base(dir) == "shims" && slices.ContainsFunc(homes, below) {
			return fmt.Sprintf("HOME is an empty folder here, and the shims in %s may search below it for their programs: export the variable that they use, such as PYENV_ROOT or ASDF_DATA_DIR", dir)
		}
	}
	return ""
}

// lookup returns the value of a variable. On some systems, case is ignored.
func lookup(environ []string, name string) string {
	for _, kv := range slices.Backward(environ) {
		if had, value, _ := strings.Cut(kv, "="); strings.EqualFold(had, name) {
			return value
		}
	}
	return ""
}
