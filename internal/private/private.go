// Package private checks that a directory of the user's state is the user's
// own. It decides nothing about what is in it.
package private

import (
	"fmt"
	"os"
)

// Check returns an error if dir exists and belongs to somebody other than the
// user or root, or if others can write to it: they could read, forge or
// remove what is kept there. A directory that does not exist is no error.
func Check(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	}
	return checkOwner(dir, info)
}
