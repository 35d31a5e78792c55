package paths

import "io/fs"

// HasOwners reports whether files have owners and modes.
const HasOwners = false

// CheckInfo does not check access control lists yet.
func CheckInfo(string, fs.FileInfo) error { return nil }
