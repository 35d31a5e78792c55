package paths

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ErrNotRegular is the error for a directory, a FIFO, a socket or a device.
var ErrNotRegular = errors.New("not a regular file")

// ReadIn is Read for a file below a directory, which no link in its path leaves (D102).
func ReadIn(dir, name string, limit int64) (text []byte, mode fs.FileMode, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ENXIO) { // a socket
		return nil, 0, ErrNotRegular
	}
	if err != nil {
		return nil, 0, err
	}
	return ReadOpen(file, limit)
}

// ReadOpen is Read for a file that was opened with O_NONBLOCK. It closes the file.
func ReadOpen(file *os.File, limit int64) (text []byte, mode fs.FileMode, err error) {
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, ErrNotRegular
	}
	text, err = io.ReadAll(io.LimitReader(file, limit+1))
	return text, info.Mode().Perm(), err
}
