package discovery

import "io/fs"

// hasOwners reports whether files have owners and modes.
const hasOwners = false

// checkInfo does not check access control lists yet.
func checkInfo(string, fs.FileInfo) error { return nil }
