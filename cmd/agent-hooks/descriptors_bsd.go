//go:build unix && !linux

package main

// keepDescriptors keeps the descriptors that the caller left open from the
// hooks: one may be of a secret, or hold a pipe open that the caller waits on.
func keepDescriptors() { keepListed("/dev/fd") }
