package exec

import "time"

// busyWait is the longest pause before another attempt to start a program that
// is being written. The pauses before it add up to 1 s (D38, golang/go#22315).
const busyWait = 512 * time.Millisecond

// startPatiently retries while the program is busy. pause waits, and returns
// false if the process should no longer be started.
func startPatiently(pause func(time.Duration) bool, start func() (process, error)) (process, error) {
	for wait := time.Millisecond; ; wait *= 2 {
		p, err := start()
		if !isBusy(err) || wait > busyWait || !pause(wait) {
			return p, err
		}
	}
}

// persist is a pause that never gives up.
func persist(d time.Duration) bool {
	time.Sleep(d)
	return true
}
