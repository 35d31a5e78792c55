package shown

import (
	"errors"
	"io/fs"
)

// Cause returns the reason inside a path error, for a message that already
// names the path.
func Cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
