//go:build unix

package async

import "syscall"

const (
	descriptorsPerJob = 12   // both ends of four pipes during the start, and a reserve
	maxJobsAtOnce     = 1000 // each uses a thread, of which Go allows at most 10000
)

// jobsAtOnce returns the number of jobs that fit in the limit of descriptors.
func jobsAtOnce() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 1
	}
	held := uint64(limit.Cur) / descriptorsPerJob
	return int(max(1, min(held, maxJobsAtOnce)))
}
