//go:build unix

package exec

import (
	"os"

	"golang.org/x/sys/unix"
)

// unlinkedFile is a temporary file of mode 0600 whose name is gone.
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

// fillPipe returns a pipe that holds data and then ends, nil if none can
// hold it: a user with many pipes gets small ones.
func fillPipe(data []byte) *os.File {
	r, w, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer w.Close()
	if !writeAtOnce(w, data) {
		r.Close()
		return nil
	}
	return r
}

// writeAtOnce writes data by one system call, or not all of it; w does not
// block.
func writeAtOnce(w *os.File, data []byte) bool {
	conn, err := w.SyscallConn()
	if err != nil {
		return false
	}
	n := 0
	conn.Write(func(fd uintptr) bool {
		n, _ = unix.Write(int(fd), data)
		return true
	})
	return n == len(data)
}
