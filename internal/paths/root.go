package paths

// CheckRoot checks that only the system's administrator can change files (D82): root owns each, and
// each physical parent up to the root directory, and nobody else can write it. Parents of symbolic
// links and of their targets count. On Windows, the administrators and the system itself are root;
// parents are checked up to the first that a user cannot replace.
func CheckRoot(paths ...string) error {
	for _, path := range paths {
		if err := checkRoot(path); err != nil {
			return err
		}
	}
	return nil
}

// CheckReadable checks that every user can read files: whatever the umask was with which root created
// them or a parent. It checks nothing on Windows.
func CheckReadable(paths ...string) error { return checkAll(0o4, paths) }

// CheckRunnable checks that every user can run programs.
func CheckRunnable(paths ...string) error { return checkAll(0o5, paths) }
