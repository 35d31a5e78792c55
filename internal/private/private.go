// Package private checks that a state directory belongs to the user. It does not check the
// directory's content.
package private

import (
	"fmt"
	"os"

	"github.com/agent-hooks/agent-hooks/internal/owners"
)

// Check returns an error if dir exists and belongs to anyone except the user or root, or if
// others can write to it: they could read, forge or remove its files. A missing directory is
// not an error.
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
	return owners.CheckInfo(dir, info)
}
