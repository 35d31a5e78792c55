//go:build unix && !linux

package main

// closeOnExec prevents hooks from inheriting descriptors that the caller left open: one may
// refer to a secret file, or keep open a pipe that the caller waits on.
func closeOnExec() { closeListedOnExec("/dev/fd") }
