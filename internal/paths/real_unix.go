//go:build unix

package paths

import "path/filepath"

// Real returns the path without links.
func Real(path string) (string, error) { return filepath.EvalSymlinks(path) }

// Named returns the path of a directory that an agent or the user named.
func Named(dir string) string { return dir }
