//go:build !linux && !darwin

package pack

import "errors"

// exchange returns an error: the system cannot exchange two names.
func exchange(a, b string) error { return errors.ErrUnsupported }
