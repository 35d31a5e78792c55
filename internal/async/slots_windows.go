package async

// jobsAtOnce is limited by the threads that wait for the jobs.
func jobsAtOnce() int { return 1000 }
