//go:build darwin || freebsd

package exec

import "os"

// namelessFile returns an unlinked temporary file.
func namelessFile() (*os.File, error) { return unlinkedFile() }
