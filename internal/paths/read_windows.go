package paths

import (
	"io/fs"
	"os"
)

// Read returns the content and the permissions of a regular file. If the file is longer than
// limit, it returns the first limit+1 bytes.
func Read(path string, limit int64) (text []byte, mode fs.FileMode, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	return ReadOpen(file, limit)
}
