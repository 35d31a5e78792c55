//go:build unix

package matcher

import (
	"syscall"
	"time"
)

// processorTime returns the processor time that the process has used; ok is false if the
// system does not say.
func processorTime() (used time.Duration, ok bool) {
	var usage syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), err == nil
}
