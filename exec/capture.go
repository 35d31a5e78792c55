package exec

import (
	"errors"
	"os"
	"slices"
	"time"
)

const (
	firstRead = 4 << 10  // bytes of room that a stream starts with
	drainSize = 32 << 10 // bytes per read of what is not kept
)

// capture reads one stream of a process to its end and keeps a bounded part.
type capture struct {
	file     *os.File
	max      int
	tail     bool
	complete func([]byte) bool

	data    []byte
	dropped int64
	scratch []byte

	ending   chan time.Time // when the process has ended: read no longer than this
	done     chan struct{}
	answered bool  // complete ended the reading
	err      error // complete panicked
}

// openCapture returns a capture and the end of its pipe for the process.
func openCapture(max int, tail bool) (*capture, *os.File, error) {
	ours, theirs, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	return &capture{
		file: ours, max: max, tail: tail,
		ending: make(chan time.Time, 1),
		done:   make(chan struct{}),
	}, theirs, nil
}

// run reads until the end of the stream. After the process's end it takes
// what is there, which is all that was written before, and reads on until
// there is a whole answer or the time is over (D35).
func (c *capture) run() {
	defer close(c.done)
	defer c.file.Close()
	defer recoverInto(&c.err)
	if err := c.readAll(); !errors.Is(err, os.ErrDeadlineExceeded) {
		return
	}
	until := <-c.ending
	c.file.SetReadDeadline(time.Time{})
	if c.readPending() != nil {
		return
	}
	c.file.SetReadDeadline(until)
	for !c.hasAnswer() {
		if c.read() != nil {
			return
		}
	}
}

func (c *capture) readAll() error {
	for {
		if err := c.read(); err != nil {
			return err
		}
	}
}

// readPending reads what the pipe holds and no more than that, since others
// may go on writing for ever.
func (c *capture) readPending() error {
	end := c.total() + pending(c.file)
	for c.total() < end {
		if err := c.read(); err != nil {
			return err
		}
	}
	return nil
}

func (c *capture) hasAnswer() bool {
	c.answered = c.complete != nil && c.complete(c.data)
	return c.answered
}

func (c *capture) total() int64 { return int64(len(c.data)) + c.dropped }

// read reads once.
func (c *capture) read() error {
	room := c.room()
	if len(room) == 0 {
		if c.scratch == nil {
			c.scratch = make([]byte, drainSize)
		}
		n, err := c.file.Read(c.scratch)
		c.dropped += int64(n)
		return err
	}
	n, err := c.file.Read(room)
	c.data = c.data[:len(c.data)+n]
	return err
}

// room returns where the next bytes go, inside the capacity of data, which
// grows with what comes.
func (c *capture) room() []byte {
	limit := c.max
	if c.tail {
		limit = 2 * c.max
		if len(c.data) == limit {
			c.trim()
		}
	}
	if len(c.data) == cap(c.data) && len(c.data) < limit {
		c.data = slices.Grow(c.data, max(firstRead, len(c.data)))
	}
	return c.data[len(c.data):max(len(c.data), min(cap(c.data), limit))]
}

// trim drops all but the last max bytes.
func (c *capture) trim() {
	if over := len(c.data) - c.max; over > 0 {
		c.data = c.data[:copy(c.data, c.data[over:])]
		c.dropped += int64(over)
	}
}

// end tells the reader that the process has ended and waits for it.
func (c *capture) end(until time.Time) {
	c.ending <- until
	if c.file.SetReadDeadline(time.Unix(1, 0)) != nil {
		c.endByClosing(until)
	}
	<-c.done
}

// endByClosing is for a pipe without deadlines (Windows), or one that is at
// its end already.
func (c *capture) endByClosing(until time.Time) {
	limit := time.NewTimer(time.Until(until))
	defer limit.Stop()
	if !within(limit.C, c.done) {
		c.file.Close()
	}
}

// output returns what was kept, once the reader is done.
func (c *capture) output() Output {
	c.trim()
	return Output{Data: c.data, Dropped: c.dropped}
}
