package judge

import "syscall"

// diesWithParent makes a program die with the thread that starts it.
func diesWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
