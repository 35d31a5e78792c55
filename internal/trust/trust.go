// Package trust records which hooks of projects the user has reviewed (D40).
// It owns the store of reviewed copies: the content of a hook's folder as it
// was shown is kept by its digest, and that copy is what runs.
//
// It neither asks nor prints: that is for the command. It reads projects'
// folders and writes only below the store's directory.
//
// The store's files, all below one directory of mode 0700:
//
//	copies/NAME/DIGEST/NAME/…     the reviewed folder, read-only
//	repositories/HASH.json        what was trusted in one repository
//	repositories/everywhere.json  what was trusted for every project
//	paths/HASH                    the records that a project's path leads to
//	tmp/…                         what is being written or removed
//	lock                          held by whoever writes
//
// Only a record makes a copy count. A name that occurs twice in copies is the
// folder's: the inner one keeps it for the hook, whose name must be that of
// its folder.
//
// How far trust goes: the bytes that were hashed are the bytes that are kept,
// and nothing else of the folder is executed. Interpreters, and files outside
// the folder that a script calls, are not covered; nor does it hold against a
// program that runs as the user, which can write the store.
package trust

// The limits of what can be trusted (D40).
const (
	MaxEntries = 256      // files, links and directories in a hook's folder
	MaxSize    = 16 << 20 // bytes in them
)
