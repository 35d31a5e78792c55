package environ

// isWritable is not determined on Windows.
func isWritable(string) bool { return true }
