package owners

import "io/fs"

// Known reports whether files have owners and modes.
const Known = false

// CheckInfo does not check access control lists yet.
func CheckInfo(string, fs.FileInfo) error { return nil }
