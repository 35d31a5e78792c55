package exec

// jobsAtOnce is bounded by the threads that wait for the jobs.
func jobsAtOnce() int { return 1000 }
