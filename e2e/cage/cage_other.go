//go:build !linux

package cage

import (
	"context"
	"errors"
	"os/exec"
)

var errLinuxOnly = errors.New("a cage needs Linux")

// Command returns an error: only Linux has the namespaces.
func Command(context.Context, Cage) (*exec.Cmd, error) { return nil, errLinuxOnly }

// As does nothing.
func As(*exec.Cmd, int) {}

// Enter returns an error.
func Enter(string) (int, error) { return 0, errLinuxOnly }
