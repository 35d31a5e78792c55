package private

import "io/fs"

// checkOwner accepts every directory: directories in a profile belong to its user.
func checkOwner(string, fs.FileInfo) error { return nil }
