package exec

import (
	"os"
	"runtime"
	"sync"
	"time"
)

// busyWait is the longest pause before another try to start a program that
// is being written; the pauses before it add up to 1 s (D38,
// golang/go#22315).
const busyWait = 512 * time.Millisecond

// child is a process and the goroutine that starts and awaits it.
type child struct {
	process process
	err     error         // it could not be started
	started chan struct{} // closed when process or err is there
	exited  chan struct{} // closed when the leader has ended; it is not reaped
	quit    chan struct{} // closed to end the tries to start it
	once    sync.Once
}

// launch starts c with files as its streams and closes them. It does not
// wait: starting may hang, on a dead file server.
func launch(c *Command, files [3]*os.File) *child {
	ch := &child{
		started: make(chan struct{}),
		exited:  make(chan struct{}),
		quit:    make(chan struct{}),
	}
	go ch.run(c, files)
	return ch
}

func (ch *child) run(c *Command, files [3]*os.File) {
	// Linux sends the parent-death signal when the thread that forked ends
	// (golang/go#27505): keep it. It waits in the kernel anyway.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(ch.exited)
	p, err := startPatiently(ch.quit, func() (process, error) {
		return startTied(c.Path, c.Args, c.Dir, c.Env, files)
	})
	closeAll(files[:])
	if err != nil {
		err = startError(c, err)
	}
	ch.process, ch.err = p, err
	close(ch.started)
	if err == nil {
		p.awaitExit()
	}
}

// startPatiently tries again while the program is busy.
func startPatiently(quit <-chan struct{}, start func() (process, error)) (process, error) {
	for pause := time.Millisecond; ; pause *= 2 {
		p, err := start()
		if !isBusy(err) || pause > busyWait {
			return p, err
		}
		select {
		case <-time.After(pause):
		case <-quit:
			return p, err
		}
	}
}

// giveUp ends the tries to start it.
func (ch *child) giveUp() { ch.once.Do(func() { close(ch.quit) }) }

// disown leaves a process that the kernel can neither start nor end to a
// goroutine that does the rest when it can.
func (ch *child) disown() {
	go func() {
		<-ch.started
		if ch.err == nil {
			ch.process.kill()
			<-ch.exited
			ch.process.reap()
		}
	}()
}
