//go:build linux

package main

import (
	"os"
	osexec "os/exec"
	"syscall"
)

// mainFaultHook leaves the session or the group of the hook that starts it,
// and then becomes another program: fault-hook session|group COMMAND [ARG ...].
func mainFaultHook() {
	switch os.Args[1] {
	case "session":
		_, err := syscall.Setsid()
		must(err)
	case "group":
		must(syscall.Setpgid(0, 0))
	}
	path, err := osexec.LookPath(os.Args[2])
	must(err)
	must(syscall.Exec(path, os.Args[2:], os.Environ()))
}
