// Package pack fetches hooks from a folder or a git repository, and installs, updates and
// removes them (D81). hooks.lock, next to the directory of hooks, names the source and the
// content of each.
//
// It does not prompt or print; the command does. A pack is data until the user agrees: its files
// are read into memory, and nothing in it is executed. git never checks anything out: a bare
// repository in a temporary directory gets one commit, and its objects are read with cat-file.
package pack

import "time"

// The limits of a pack.
const (
	maxHooks    = 256
	maxEntries  = 10_000   // in one directory of a source
	maxManifest = 64 << 10 // bytes of pack.toml
	maxLock     = 1 << 20  // bytes of hooks.lock

	maxTree = 4 << 20 // bytes of one directory of a git repository

	Timeout    = 2 * time.Minute // for a fetch
	MaxFetched = 256 << 20       // bytes that a fetch may write, and that are read of it
)
