//go:build unix && !linux

package state

import "errors"

// syncAll returns an error: there is no such call.
func syncAll(string) error { return errors.ErrUnsupported }
