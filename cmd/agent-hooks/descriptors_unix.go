//go:build unix

package main

import (
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// keepListed does so for the descriptors listed in a folder.
func keepListed(folder string) {
	names, _ := os.ReadDir(folder)
	for _, name := range names {
		if fd, err := strconv.Atoi(name.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

// enoughDescriptors is a limit of descriptors that is more than enough for a run.
const enoughDescriptors = 64

// startPoller makes the Go runtime open its two descriptors while some are available. If it
// cannot open them when the first timer or file needs them, it ends the process, without a
// decision of any guard. startPoller reports whether it succeeded.
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
