//go:build darwin || freebsd

package exec

// hasChild cannot be told here without reaping, which others do.
func hasChild() bool { return false }
