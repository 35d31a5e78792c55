//go:build unix

package async

import "os"

// unlinkedFile returns a temporary file of mode 0600 that has been unlinked.
func unlinkedFile() (*os.File, error) {
	f, err := os.CreateTemp("", "agent-hooks-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
