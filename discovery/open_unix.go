//go:build unix

package discovery

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// descriptor is an open regular file. Package os is not used because it would
// register each file with the poller first.
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

// directory is an open directory.
type directory struct {
	*os.File
	prefix string // its path, with a trailing separator
}

// open opens a directory. Anything else is rejected without blocking. Package
// os is not used because it would register the directory with the poller first.
func open(path string) (*directory, error) {
	fd, err := retry(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return &directory{os.NewFile(uintptr(fd), path), withSeparator(path)}, nil
}

// openRegular opens a regular file and returns its size. It does not block on a
// FIFO. If d is not nil, the file is opened relative to d, so that the system
// need not resolve the whole path again.
func (d *directory) openRegular(path string) (io.ReadCloser, int64, error) {
	const flags = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_CLOEXEC | unix.O_NOCTTY
	from, name := d.relative(path)
	fd, err := retry(func() (int, error) { return unix.Openat(from, name, flags, 0) })
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

// has reports whether there certainly is a file, of whatever kind, at path.
func (d *directory) has(path string) bool {
	from, name := d.relative(path)
	var stat unix.Stat_t
	_, err := retry(func() (int, error) { return 0, unix.Fstatat(from, name, &stat, 0) })
	return err == nil
}

// relative returns how a path is looked up.
func (d *directory) relative(path string) (from int, name string) {
	if d != nil && strings.HasPrefix(path, d.prefix) {
		return int(d.Fd()), path[len(d.prefix):]
	}
	return unix.AT_FDCWD, path
}

func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != syscall.EINTR {
			return n, err
		}
	}
}
