package exec

import "slices"

const (
	firstRead = 4 << 10  // initial bytes of a stream's buffer
	drainSize = 32 << 10 // bytes per read of discarded output
)

// capture keeps a bounded part of the output of one stream.
type capture struct {
	max  int
	tail bool

	data    []byte
	dropped int64
	scratch []byte
}

// room returns the buffer for the next bytes, and whether they are kept. The
// buffer is the free space after data, which grows as needed, or scratch space
// for discarded bytes.
func (c *capture) room() (room []byte, kept bool) {
	limit := c.max
	if c.tail {
		limit = 2 * c.max
		if len(c.data) == limit {
			c.trim()
		}
	}
	if len(c.data) >= limit {
		if c.scratch == nil {
			c.scratch = make([]byte, drainSize)
		}
		return c.scratch, false
	}
	if len(c.data) == cap(c.data) {
		c.data = slices.Grow(c.data, max(firstRead, len(c.data)))
	}
	return c.data[len(c.data):min(cap(c.data), limit)], true
}

// take records that n bytes were read into room.
func (c *capture) take(n int, kept bool) {
	if kept {
		c.data = c.data[:len(c.data)+n]
	} else {
		c.dropped += int64(n)
	}
}

// trim drops all but the last max bytes.
func (c *capture) trim() {
	if over := len(c.data) - c.max; over > 0 {
		c.data = c.data[:copy(c.data, c.data[over:])]
		c.dropped += int64(over)
	}
}

func (c *capture) total() int64 { return int64(len(c.data)) + c.dropped }
