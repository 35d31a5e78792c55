//go:build unix

package paths

import (
	"bytes"
	"io/fs"
	"syscall"
)

// Read returns the content and the permissions of a regular file. If the file is longer than
// limit, it returns the first limit+1 bytes. It does not block on a FIFO.
//
// Package os is not used because it would register each file with the poller first.
func Read(path string, limit int64) (text []byte, mode fs.FileMode, err error) {
	var fd int
	err = retry(func() (err error) {
		fd, err = syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC|syscall.O_NOCTTY, 0)
		return err
	})
	if err == syscall.ENXIO { // a socket
		return nil, 0, ErrNotRegular
	}
	if err != nil {
		return nil, 0, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	var stat syscall.Stat_t
	if err := retry(func() error { return syscall.Fstat(fd, &stat) }); err != nil {
		return nil, 0, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	if stat.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return nil, 0, ErrNotRegular
	}
	text, err = readFrom(fd, stat.Size, limit)
	if err != nil {
		err = &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return text, fs.FileMode(stat.Mode).Perm(), err
}

// readFrom reads a file to the size that it had when it was opened, or to its end. A size of 0 is also
// that of a file whose text the kernel makes.
func readFrom(fd int, size, limit int64) ([]byte, error) {
	text := make([]byte, 0, max(min(size, limit+1), bytes.MinRead))
	for {
		var n int
		err := retry(func() (err error) {
			n, err = syscall.Read(fd, text[len(text):min(int64(cap(text)), limit+1)])
			return err
		})
		text = text[:len(text)+max(n, 0)]
		if got := int64(len(text)); err != nil || n <= 0 || got > limit || size > 0 && got >= size {
			return text, err
		}
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
	}
}

func retry(call func() error) error {
	for {
		if err := call(); err != syscall.EINTR {
			return err
		}
	}
}
