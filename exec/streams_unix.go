//go:build unix

package exec

import (
	"io"
	"math"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// tellsPending reports whether pending returns the content of a pipe.
const tellsPending = true

// streams are the descriptors of one process's streams, and those that signal
// its end and the request to stop it. One thread can wait for all of them.
type streams struct {
	stdin   int // our end; -1 if there is nothing to write
	theirs  [3]int
	stopper int // closed to request the process's end
	polled  [5]unix.PollFd
}

// The indexes in polled. The streams that are read come first.
const (
	exitPlace = iota + 2
	stopPlace
	stdinPlace
)

// openStreams opens the pipes of a process. Without input its stdin is empty.
func openStreams(input bool) (*streams, error) {
	s := &streams{stdin: -1, theirs: [3]int{-1, -1, -1}, stopper: -1}
	for i := range s.polled {
		s.polled[i] = unix.PollFd{Fd: -1, Events: unix.POLLIN}
	}
	s.polled[stdinPlace].Events = unix.POLLOUT
	if err := s.open(input); err != nil {
		s.closeTheirs()
		s.close()
		s.requestStop()
		return nil, err
	}
	return s, nil
}

func (s *streams) open(input bool) (err error) {
	if input {
		s.theirs[0], s.stdin, err = ourPipe(1)
	} else {
		s.theirs[0], err = unix.Open(os.DevNull, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	}
	for i := stdout; i <= stderr && err == nil; i++ {
		var ours int
		ours, s.theirs[i+1], err = ourPipe(0)
		s.polled[i].Fd = int32(ours)
	}
	if err == nil {
		var stop int
		stop, s.stopper, err = newPipe()
		s.polled[stopPlace].Fd = int32(stop)
	}
	return err
}

// ourPipe returns a pipe in which our end, the first or second, does not block,
// whatever the process does with its own end.
func ourPipe(end int) (r, w int, err error) {
	r, w, err = newPipe()
	if err == nil {
		err = unix.SetNonblock([2]int{r, w}[end], true)
	}
	return r, w, err
}

// files transfers our ends as files: one to write to, and those to read.
func (s *streams) files() (in *os.File, out [2]*os.File) {
	s.requestStop()
	s.closePolled(stopPlace)
	in = os.NewFile(uintptr(s.stdin), "stdin")
	for i, name := range []string{stdout: "stdout", stderr: "stderr"} {
		out[i] = os.NewFile(uintptr(s.polled[i].Fd), name)
		s.polled[i].Fd = -1
	}
	s.stdin = -1
	return in, out
}

// watch makes wait report the end of a started process.
func (s *streams) watch(p process) { s.polled[exitPlace].Fd = int32(p.exitDescriptor()) }

// wait waits until an event occurs, or until limit if there is one. If writing
// is set, it also waits for space in stdin.
func (s *streams) wait(limit time.Time, writing bool) (n waitResult) {
	s.polled[stdinPlace].Fd = -1
	if writing {
		s.polled[stdinPlace].Fd = int32(s.stdin)
	}
	if ignoringEINTR(func() error {
		_, err := unix.Poll(s.polled[:], pollTime(limit))
		return err
	}) != nil {
		return waitResult{}
	}
	n.readable = [2]bool{s.happened(stdout), s.happened(stderr)}
	n.exited, n.stopRequested = s.happened(exitPlace), s.happened(stopPlace)
	if n.exited {
		s.closePolled(exitPlace)
	}
	if n.stopRequested {
		s.closePolled(stopPlace)
	}
	return n
}

func (s *streams) happened(place int) bool { return s.polled[place].Revents != 0 }

// pollTime returns the timeout of poll in ms, -1 for none.
func pollTime(limit time.Time) int {
	if limit.IsZero() {
		return -1
	}
	left := max(0, time.Until(limit)+time.Millisecond-1)
	return int(min(left/time.Millisecond, math.MaxInt32))
}

// write writes as much as there is space for, and returns errFull if that is
// not all.
func (s *streams) write(p []byte) (int, error) {
	n, err := unix.Write(s.stdin, p)
	switch {
	case err == unix.EAGAIN || err == nil && n < len(p):
		return max(n, 0), errFull
	case err == unix.EINTR:
		return 0, nil
	}
	return max(n, 0), err
}

// read reads the available data, which may be empty. At the end of the stream
// or after an error it closes the stream.
func (s *streams) read(stream int, p []byte) (int, error) {
	n, err := unix.Read(int(s.polled[stream].Fd), p)
	switch {
	case err == unix.EAGAIN || err == unix.EINTR:
		return 0, nil
	case err == nil && n == 0:
		err = io.EOF
	}
	if err != nil {
		s.closePolled(stream)
	}
	return max(n, 0), err
}

// pending returns the number of unread bytes in a stream.
func (s *streams) pending(stream int) int64 {
	if s.polled[stream].Fd < 0 {
		return 0
	}
	held, err := unix.IoctlGetInt(int(s.polled[stream].Fd), fionread)
	if err != nil {
		return 0
	}
	return int64(held)
}

// requestStop requests the end of the process. It may be called on any goroutine.
func (s *streams) requestStop() { closeDescriptor(&s.stopper) }

func (s *streams) closeInput() { closeDescriptor(&s.stdin) }

func (s *streams) closeTheirs() {
	for i := range s.theirs {
		closeDescriptor(&s.theirs[i])
	}
}

// close closes all descriptors except the stopper, which belongs to its user.
func (s *streams) close() {
	s.closeInput()
	for place := range stdinPlace {
		s.closePolled(place)
	}
}

func (s *streams) closePolled(place int) {
	fd := int(s.polled[place].Fd)
	closeDescriptor(&fd)
	s.polled[place].Fd = -1
}

func closeDescriptor(fd *int) {
	if *fd >= 0 {
		unix.Close(*fd)
		*fd = -1
	}
}
