package state

import "os"

// Lock opens or creates the file at path, which no other file replaces, and waits until no process
// holds its lock. Closing the file releases the lock.
func Lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if _, err := LockFile(f, true); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
