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

// fillPipe returns the read end of a pipe that contains data and has no writer;
// nil if the pipe is too small, because a user with many pipes gets small ones.
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

// writeAtOnce writes data to w, which does not block, with one system call. It
// reports whether all of it was written.
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
