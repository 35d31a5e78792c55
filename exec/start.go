package exec

import "time"

// busyWait is the longest pause before another try to start a program that
// is being written; the pauses before it add up to 1 s (D38,
// golang/go#22315).
const busyWait = 512 * time.Millisecond

// startPatiently tries again while the program is busy. pause waits, and
// reports whether there is still a wish to start it.
func startPatiently(pause func(time.Duration) bool, start func() (process, error)) (process, error) {
	for wait := time.Millisecond; ; wait *= 2 {
		p, err := start()
		if !isBusy(err) || wait > busyWait || !pause(wait) {
			return p, err
		}
	}
}

// persist is the pause of who never gives up.
func persist(d time.Duration) bool {
	time.Sleep(d)
	return true
}
