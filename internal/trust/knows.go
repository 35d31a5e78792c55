package trust

import (
	"os"
	"path/filepath"
)

// Knows reports whether anything was ever trusted under the name of a folder
// in a project's directory of hooks. It looks at no folder, so that its answer
// takes the same time for any number of them.
func (c *Check) Knows(hooks, folder string) bool {
	p := c.at(filepath.Dir(filepath.Dir(hooks)))
	if p == nil {
		return false
	}
	if p.hooks[folder] != nil {
		return true
	}
	if c.names == nil {
		c.names = map[string]bool{}
		entries, _ := os.ReadDir(filepath.Dir(c.store.namePath("any")))
		for _, entry := range entries {
			c.names[entry.Name()] = true
		}
	}
	return c.names[folder]
}
