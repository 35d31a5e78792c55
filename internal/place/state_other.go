//go:build !darwin && !windows

package place

func stateHome() string { return "" }
