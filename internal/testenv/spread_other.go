//go:build !linux

package testenv

func spread(string) {}
