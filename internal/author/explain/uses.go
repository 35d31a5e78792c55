package explain

import (
	"slices"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/manifest"
)

// Use is a path that a call uses, by its one name, and in which ways (D95).
type Use struct {
	Path   string
	Access manifest.Access
}

// Uses lists the paths that the call of a plan's event uses. note is the reason why there may be
// others; "" if there are none.
func Uses(plan *agenthooks.Plan) (uses []Use, note string) {
	for access := manifest.Read; access <= manifest.RemoveTree; access <<= 1 {
		var names []string
		names, note = plan.Passages(&discovery.Hook{Hook: manifest.Hook{Match: manifest.Paths, Access: access}})
		for _, name := range names {
			i := slices.IndexFunc(uses, func(u Use) bool { return u.Path == name })
			if i < 0 {
				i, uses = len(uses), append(uses, Use{Path: name})
			}
			uses[i].Access |= access
		}
	}
	return uses, note
}
