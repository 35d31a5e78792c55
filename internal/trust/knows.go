package trust

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/place"
)

// Known returns the names of the hooks that were ever trusted: in the project with a directory of
// hooks, and anywhere. It does not read the folders, so its time does not depend on their number.
func (c *Check) Known(hooks string) *discovery.Review {
	known := &discovery.Review{}
	if hooks == "" {
		return known
	}
	p := c.at(filepath.Dir(filepath.Dir(hooks)))
	if p == nil {
		return known
	}
	known.Copies = make(map[string]bool, len(p.hooks))
	for name := range p.hooks {
		known.Copies[name] = true
	}
	// Usually all of a project's hooks are reviewed in it.
	known.Others = sync.OnceValue(func() map[string]bool {
		c.look(c.store.copies())
		entries, _ := os.ReadDir(c.store.copies())
		others := make(map[string]bool, len(entries))
		for _, entry := range entries {
			others[entry.Name()] = true
		}
		return others
	})
	return known
}

// Review returns the hooks that run instead of the project's hooks that were found, and in place
// of those that are missing.
func (c *Check) Review(project []*discovery.Hook, at place.Project) []*discovery.Hook {
	for i, h := range project {
		project[i] = c.Trust(h)
	}
	return append(project, c.Missing(at)...)
}
