package atomicfile

// SyncDirectory does nothing: Windows flushes no directories.
func SyncDirectory(string) error { return nil }
