//go:build darwin || freebsd

package async

import "os"

// namelessFile returns an unlinked temporary file.
func namelessFile() (*os.File, error) { return unlinkedFile() }
