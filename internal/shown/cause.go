package shown

import (
	"errors"
	"io/fs"
	"os"
)

// Cause returns the reason inside a path error, for a message that already
// names the path.
func Cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
