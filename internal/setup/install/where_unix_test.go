//go:build !windows

package install

func startedAsWhere() {}
