//go:build darwin || freebsd

package exec

import "os"

// namelessFile is an unlinked temporary file.
func namelessFile() (*os.File, error) { return unlinkedFile() }
