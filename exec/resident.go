package exec

import (
	"bufio"
	"context"
	"errors"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

// Resident is a long-running process that exchanges lines with its caller. Safe
// for concurrent use.
type Resident struct {
	in     *os.File
	out    [2]*os.File
	line   func(line []byte, cut bool)
	limit  atomic.Int64 // maximum bytes of a line
	writes sync.Mutex
	ended  chan struct{}
	read   chan struct{} // closed when both streams have ended

	mu       sync.Mutex // guards the fields below
	process  process
	reaped   bool
	stopping bool
	result   Result
	errors   capture
}

// StartResident starts c in its own session, with the guarantees of Run: the
// process dies with this one where the system supports it. c's Stdin, Timeout
// and Complete are ignored. The last c.MaxStderr bytes of stderr are kept. line
// is called with each line of stdout, without its newline, one at a time; it
// must not retain the bytes. If a line exceeds c.MaxStdout bytes, line is
// called at once with its first bytes. The error is a *StartError. The caller
// must call End.
func StartResident(c Command, line func(line []byte, cut bool)) (*Resident, error) {
	s, err := openStreams(true)
	if err != nil {
		return nil, startError(&c, err)
	}
	r := &Resident{line: line, ended: make(chan struct{}), read: make(chan struct{}), errors: capture{max: c.MaxStderr, tail: true}}
	r.limit.Store(int64(c.MaxStdout))
	r.in, r.out = s.files()
	started := make(chan error)
	go r.keep(&c, s, started)
	if err := <-started; err != nil {
		return nil, startError(&c, err)
	}
	return r, nil
}

// keep starts the process, waits for its end and reaps it.
func (r *Resident) keep(c *Command, s *streams, started chan<- error) {
	// The parent-death signal is sent when this thread ends, so keep it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	limit := time.Now().Add(max(c.Timeout, time.Second))
	patience := func(d time.Duration) bool { return time.Now().Before(limit) && persist(d) }
	p, err := startPatiently(patience, func() (process, error) { return startTied(c, s) })
	s.closeTheirs()
	s.close()
	if err != nil {
		r.closeStreams()
		started <- err
		return
	}
	r.process = p
	var both sync.WaitGroup
	both.Go(r.readLines)
	both.Go(r.readErrors)
	go func() {
		both.Wait()
		close(r.read)
	}()
	started <- nil
	p.awaitExit()
	r.reap()
}

// reap reaps the ended process. If the process was stopped, it also kills the
// processes left in its session.
func (r *Resident) reap() {
	r.mu.Lock()
	stopping := r.stopping
	r.mu.Unlock()
	grace := spec.PipeGrace
	if stopping {
		grace = spec.KillGrace
	}
	limit := time.NewTimer(grace)
	defer limit.Stop()
	select {
	case <-r.read:
	case <-limit.C:
	}
	r.mu.Lock()
	if r.stopping {
		r.process.kill()
	}
	status, signal, err := r.process.reap()
	r.result, r.reaped = Result{Status: status, Signal: signal, Err: err}, true
	r.mu.Unlock()
	r.closeStreams()
	close(r.ended)
}

func (r *Resident) closeStreams() {
	r.in.Close()
	for _, f := range r.out {
		f.Close()
	}
}

func (r *Resident) readLines() {
	in := bufio.NewReaderSize(r.out[stdout], drainSize)
	var line []byte
	cut := false
	for {
		part, err := in.ReadSlice('\n')
		if room := int(r.limit.Load()) - len(line); !cut && len(part) > room+1 {
			r.callLine(append(line, part[:max(room, 0)]...), true)
			cut = true
		}
		if !cut {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if !cut && len(line) > 0 {
			r.callLine(line, false)
		}
		if err != nil {
			return
		}
		line, cut = line[:0], false
		if cap(line) > 1<<20 {
			line = nil // do not retain memory for the longest line
		}
	}
}

// callLine calls line and recovers its panic. A panic in a caller's function on a
// goroutine of this package would end the program.
func (r *Resident) callLine(line []byte, cut bool) {
	var lost error
	defer recoverInto(&lost)
	if line[len(line)-1] == '\n' {
		line = line[:len(line)-1]
	}
	r.line(line, cut)
}

func (r *Resident) readErrors() {
	buffer := make([]byte, firstRead)
	for {
		n, err := r.out[stderr].Read(buffer)
		r.mu.Lock()
		for rest := buffer[:max(n, 0)]; len(rest) > 0; {
			room, kept := r.errors.room()
			n := copy(room, rest)
			r.errors.take(n, kept)
			rest = rest[n:]
		}
		r.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Write writes all of p. If ctx ends first, the process is stopped, because it
// has read a part of p. Any other error means that the process has ended.
func (r *Resident) Write(ctx context.Context, p []byte) error {
	r.writes.Lock()
	defer r.writes.Unlock()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	torn := context.AfterFunc(ctx, func() {
		r.in.Close()
		r.stop()
	})
	_, err := r.in.Write(p)
	if !torn() && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return errors.New("the process has ended")
	}
	return nil
}

// CloseInput closes the process's stdin.
func (r *Resident) CloseInput() { r.in.Close() }

// Raise raises the maximum length of a line of stdout.
func (r *Resident) Raise(limit int) {
	for {
		now := r.limit.Load()
		if int64(limit) <= now || r.limit.CompareAndSwap(now, int64(limit)) {
			return
		}
	}
}

// Ended returns a channel that is closed when the process has ended, its
// streams have been read within the grace period, and it has been reaped.
func (r *Resident) Ended() <-chan struct{} { return r.ended }

// Result returns how the process ended, with an empty stdout. It may be called
// only after Ended is closed.
func (r *Resident) Result() Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	result := r.result
	result.Stderr = Output{Data: append([]byte(nil), r.errors.data...), Dropped: r.errors.dropped}
	return result
}

// Stderr returns the kept end of stderr.
func (r *Resident) Stderr() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errors.trim()
	return append([]byte(nil), r.errors.data...)
}

// End ends the process and returns when it is gone, after at most grace plus 2
// s. It closes stdin. If the process has not exited after grace, its session
// gets SIGTERM, and SIGKILL 1 s later (D34).
func (r *Resident) End(grace time.Duration) {
	r.in.Close()
	if r.gone(grace) {
		return
	}
	r.stop()
	if r.gone(spec.KillGrace) {
		return
	}
	r.mu.Lock()
	if !r.reaped {
		r.process.kill()
	}
	r.mu.Unlock()
	r.gone(killWait + spec.PipeGrace)
}

func (r *Resident) gone(within time.Duration) bool {
	limit := time.NewTimer(within)
	defer limit.Stop()
	select {
	case <-r.ended:
		return true
	case <-limit.C:
		return false
	}
}

// stop requests the end of the process's session.
func (r *Resident) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopping = true
	if !r.reaped {
		r.process.terminate()
	}
}
