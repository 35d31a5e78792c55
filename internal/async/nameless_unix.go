//go:build unix

package async

import (
	"os"

	"golang.org/x/sys/unix"
)

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

// fillPipe returns a pipe that contains data and then ends, nil if the pipe is
// too small: a user with many pipes gets small ones.
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

// writeAtOnce writes data with one system call, and reports whether all of it
// was written. w does not block.
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
