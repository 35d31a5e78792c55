//go:build unix

package realpath

import "path/filepath"

// Of returns the path without links.
func Of(path string) (string, error) { return filepath.EvalSymlinks(path) }

// Named returns the path of a directory that an agent or the user named.
func Named(dir string) string { return dir }
