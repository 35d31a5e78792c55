//go:build unix

package realpath

import "path/filepath"

// Of returns the path without links.
func Of(path string) (string, error) { return filepath.EvalSymlinks(path) }
