//go:build !windows

package term

func understandsEscapes(descriptor) bool { return true }
