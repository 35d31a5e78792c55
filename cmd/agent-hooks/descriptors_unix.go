//go:build unix

package main

import (
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// closeListedOnExec implements closeOnExec for the descriptors that a folder lists.
func closeListedOnExec(folder string) {
	names, _ := os.ReadDir(folder)
	for _, name := range names {
		if fd, err := strconv.Atoi(name.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

// enoughDescriptors is a limit of descriptors that is more than enough for a run.
const enoughDescriptors = 64

// startPoller makes the Go runtime open its two descriptors while some are available, and reports
// whether that succeeded. If the runtime cannot open them when the first timer or file needs them,
// it ends the process, before any guard has decided.
func startPoller() bool {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil || uint64(limit.Cur) >= enoughDescriptors {
		return true
	}
	var free []int
	for range 4 {
		fd, err := unix.FcntlInt(0, unix.F_DUPFD_CLOEXEC, 3)
		if err != nil {
			break
		}
		free = append(free, fd)
	}
	for _, fd := range free {
		unix.Close(fd)
	}
	if len(free) < 4 {
		return false
	}
	time.AfterFunc(time.Hour, func() {}).Stop()
	return true
}
