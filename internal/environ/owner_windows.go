package environ

import "io/fs"

// onlyRoot reports whether only the administrator can change a file, which is not
// determined on Windows.
func onlyRoot(fs.FileInfo) bool { return false }

// isWritable is not determined on Windows.
func isWritable(string) bool { return true }
