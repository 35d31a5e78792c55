package private

import "io/fs"

// checkOwner accepts every directory: those of a profile belong to its user.
func checkOwner(string, fs.FileInfo) error { return nil }
