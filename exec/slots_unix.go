//go:build unix

package exec

import "syscall"

const (
	descriptorsPerJob = 12   // both ends of four pipes while it starts, and some air
	maxJobsAtOnce     = 1000 // each takes a thread, of which Go has 10000 at most
)

// jobsAtOnce is how many jobs the limit of descriptors holds.
func jobsAtOnce() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 1
	}
	held := uint64(limit.Cur) / descriptorsPerJob
	return int(max(1, min(held, maxJobsAtOnce)))
}
