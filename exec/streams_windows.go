package exec

import (
	"bytes"
	"os"
	"sync"
	"time"
)

// tellsPending is false: the content of a pipe cannot be determined, so all
// output within the grace period counts, whether or not it is a whole answer.
const tellsPending = false

// maxWrite is the number of bytes of the input copied for each write.
const maxWrite = 64 << 10

// streams are the files of one process's streams, and the channels that signal
// its end and the request to stop it. Windows cannot wait for several of them
// together, so a goroutine waits for each.
type streams struct {
	input         *os.File // our end; nil if there is nothing to write
	theirs        [3]*os.File
	outputs       [2]chunks
	written       chan done // of the write in progress
	writing       bool
	last          *done // the last completed write
	exited        chan struct{}
	stopRequested chan struct{}
	stopping      sync.Once
}

// done is the result of a write or a read.
type done struct {
	n   int
	err error
}

// chunks is a stream that is read in chunks.
type chunks struct {
	file   *os.File
	buffer []byte
	read   chan done
	next   chan struct{} // requests the next chunk
	held   *done         // the current chunk
	taken  int           // number of bytes taken from the current chunk
}

// openStreams opens the pipes of a process. Without input its stdin is empty.
func openStreams(input bool) (*streams, error) {
	s := &streams{written: make(chan done, 1), stopRequested: make(chan struct{})}
	if err := s.open(input); err != nil {
		s.closeTheirs()
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *streams) open(input bool) (err error) {
	if input {
		s.theirs[0], s.input, err = os.Pipe()
	} else {
		s.theirs[0], err = os.Open(os.DevNull)
	}
	for i := stdout; i <= stderr && err == nil; i++ {
		s.outputs[i].file, s.theirs[i+1], err = os.Pipe()
	}
	return err
}

// files transfers our ends: one to write to, and those to read.
func (s *streams) files() (in *os.File, out [2]*os.File) {
	in, s.input = s.input, nil
	for i := range s.outputs {
		out[i], s.outputs[i].file = s.outputs[i].file, nil
	}
	return in, out
}

// watch starts reading the output of a started process and waiting for its end.
func (s *streams) watch(p process) {
	for i := range s.outputs {
		c := &s.outputs[i]
		c.buffer, c.read, c.next = make([]byte, drainSize), make(chan done, 1), make(chan struct{}, 1)
		go readChunks(c.file, c.buffer, c.read, c.next)
	}
	exited := make(chan struct{})
	s.exited = exited
	go func() {
		p.awaitExit()
		close(exited)
	}()
}

func readChunks(f *os.File, buffer []byte, read chan<- done, next <-chan struct{}) {
	for ok := true; ok; _, ok = <-next {
		n, err := f.Read(buffer)
		read <- (done{n, err})
		if err != nil {
			return
		}
	}
}

// wait waits until an event occurs, or until limit if there is one. If writing
// is set, it also waits for space in stdin.
func (s *streams) wait(limit time.Time, writing bool) (n waitResult) {
	var over <-chan time.Time
	if !limit.IsZero() {
		timer := time.NewTimer(time.Until(limit))
		defer timer.Stop()
		over = timer.C
	}
	if s.outputs[stdout].held == nil && s.outputs[stderr].held == nil && !(writing && s.last != nil) {
		select {
		case piece := <-s.outputs[stdout].read:
			s.outputs[stdout].held = &piece
		case piece := <-s.outputs[stderr].read:
			s.outputs[stderr].held = &piece
		case last := <-s.written:
			s.writing, s.last = false, &last
		case <-s.exited:
			n.exited, s.exited = true, nil
		case <-s.stopRequested:
			n.stopRequested, s.stopRequested = true, nil
		case <-over:
		}
	}
	for i := range s.outputs {
		n.readable[i] = s.outputs[i].held != nil
	}
	return n
}

// write starts a write, and returns its result in a later call; errFull until
// then.
func (s *streams) write(p []byte) (int, error) {
	if last := s.last; last != nil {
		s.last = nil
		return last.n, last.err
	}
	if !s.writing {
		s.writing = true
		piece := bytes.Clone(p[:min(len(p), maxWrite)])
		go func() {
			n, err := s.input.Write(piece)
			s.written <- done{n, err}
		}()
	}
	return 0, errFull
}

// read returns the available data, which may be empty. At the end of the stream
// or after an error it closes the stream.
func (s *streams) read(stream int, p []byte) (int, error) {
	c := &s.outputs[stream]
	if c.held == nil {
		return 0, nil
	}
	n := copy(p, c.buffer[c.taken:c.held.n])
	c.taken += n
	if c.taken < c.held.n {
		return n, nil
	}
	err := c.held.err
	c.held, c.taken = nil, 0
	if err != nil {
		c.close()
		return n, err
	}
	c.next <- struct{}{}
	return n, nil
}

// pending is unknown on Windows.
func (s *streams) pending(int) int64 { return 0 }

// requestStop requests the end of the process. It may be called on any goroutine.
func (s *streams) requestStop() { s.stopping.Do(func() { close(s.stopRequested) }) }

func (s *streams) closeInput() {
	if s.input == nil {
		return
	}
	s.input.Close()
	if s.writing {
		<-s.written
		s.writing = false
	}
	s.input = nil
}

func (s *streams) closeTheirs() {
	for i, f := range s.theirs {
		if f != nil {
			f.Close()
		}
		s.theirs[i] = nil
	}
}

func (s *streams) close() {
	s.closeInput()
	for i := range s.outputs {
		s.outputs[i].close()
	}
}

func (c *chunks) close() {
	if c.file == nil {
		return
	}
	c.file.Close()
	c.file = nil
	if c.next != nil {
		close(c.next)
		c.next, c.read = nil, nil
	}
}
