package discovery

import "io/fs"

// checkInfo does not look at access control lists yet.
func checkInfo(string, fs.FileInfo) error { return nil }
