package discovery

import "io/fs"

// hasOwners says that files have owners and modes.
const hasOwners = false

// checkInfo does not look at access control lists yet.
func checkInfo(string, fs.FileInfo) error { return nil }
