// Package trust records which hooks of projects the user has reviewed (D40). It stores a copy of
// each reviewed folder, exactly as it was shown, by its digest. This copy is what runs.
//
// It does not prompt or print; the command does. It reads projects' folders and writes only
// below the store's directory.
//
// The store's files, all below one directory of mode 0700:
//
//	copies/NAME/DIGEST/NAME/…     the reviewed folder, read-only
//	repositories/HASH.json        the hooks trusted in one repository
//	repositories/everywhere.json  the contents trusted in every project
//	paths/HASH                    the records to which a project's path is linked
//	tmp/…                         files being written or removed
//	lock                          held while writing
//
// A copy is used only if a record names it. NAME is the name of the folder. It occurs twice
// because a hook's name must equal its folder's name.
//
// The stored bytes are the bytes that were hashed, and nothing else in the folder is executed.
// Trust does not cover interpreters, or files outside the folder that a script uses. It does
// not protect against programs that run as the user, which can write the store.
package trust

// The limits of what can be trusted (D40).
const (
	MaxEntries = 256      // files, links and directories in a hook's folder
	MaxSize    = 16 << 20 // bytes in them
	MaxTotal   = 32 << 20 // bytes in all folders of one review
)
