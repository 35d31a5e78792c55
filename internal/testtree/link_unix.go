//go:build unix

package testtree

import (
	"errors"
	"os"
)

// ErrNoLinks means that this system makes no link of the kind.
var ErrNoLinks = errors.New("this system makes no such link")

// Link makes a symbolic link.
func Link(target, at string) error { return os.Symlink(target, at) }

// Unlink removes a link of Link.
func Unlink(at string) { os.Remove(at) }
