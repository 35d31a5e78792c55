//go:build !linux && !darwin

package pack

// swap replaces the folder at with the folder fresh. The system cannot exchange two names.
func swap(fresh, at, old string) error { return swapByRenaming(fresh, at, old) }
