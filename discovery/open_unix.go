//go:build unix

package discovery

import (
	"errors"
	"io"
	"io/fs"
	"syscall"
)

// descriptor is an open regular file. Package os is not used for it because
// that would offer each file to the poller first.
type descriptor int

func (d descriptor) Read(p []byte) (int, error) {
	n, err := retry(func() (int, error) { return syscall.Read(int(d), p) })
	switch {
	case err != nil:
		return 0, err
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}

func (d descriptor) Close() error { return syscall.Close(int(d)) }

// openRegular opens a regular file and returns its size. It does not wait
// for the other end of a FIFO.
func openRegular(path string) (io.ReadCloser, int64, error) {
	const flags = syscall.O_RDONLY | syscall.O_NONBLOCK | syscall.O_CLOEXEC | syscall.O_NOCTTY
	fd, err := retry(func() (int, error) { return syscall.Open(path, flags, 0) })
	if errors.Is(err, syscall.ENXIO) { // a socket
		err = errNotRegular
	}
	if err != nil {
		return nil, 0, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	var stat syscall.Stat_t
	_, err = retry(func() (int, error) { return 0, syscall.Fstat(fd, &stat) })
	if err == nil && stat.Mode&syscall.S_IFMT != syscall.S_IFREG {
		err = errNotRegular
	}
	if err != nil {
		syscall.Close(fd)
		return nil, 0, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return descriptor(fd), stat.Size, nil
}

func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != syscall.EINTR {
			return n, err
		}
	}
}

func isLoop(err error) bool { return errors.Is(err, syscall.ELOOP) }

func isNotFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
