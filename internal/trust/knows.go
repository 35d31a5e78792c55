package trust

import (
	"os"
	"path/filepath"
)

// Knows reports whether a hook with the name of a folder in a project's directory of hooks was
// ever trusted. It does not read the folder, so its time does not depend on the number of
// folders.
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
		c.look(c.store.copies())
		entries, _ := os.ReadDir(c.store.copies())
		for _, entry := range entries {
			c.names[entry.Name()] = true
		}
	}
	return c.names[folder]
}

// Reviewed reports whether a hook with the name of a folder was trusted in the project with a
// directory of hooks, so that Trust does not use the content of the folder.
func (c *Check) Reviewed(hooks, folder string) bool {
	p := c.at(filepath.Dir(filepath.Dir(hooks)))
	return p != nil && p.hooks[folder] != nil
}
