package discovery

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// directory is an open directory.
type directory struct{ *os.File }

func open(path string) (*directory, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) { // also for a file, if a directory is asked for
		if _, statErr := os.Lstat(path); statErr == nil {
			err = &fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
		}
	}
	if err != nil {
		return nil, err
	}
	return &directory{file}, nil
}

// openRegular opens a regular file and returns its size. Opening a file in a
// Windows file system never blocks.
func (*directory) openRegular(path string) (io.ReadCloser, int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

// has reports whether there certainly is a file, of whatever kind, at path.
func (*directory) has(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
