package rpc

import (
	"bytes"
	"strconv"
	"sync"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// Caller sends requests to a peer that answers in any order, and finds the
// answers in the peer's output lines. It does no I/O. Safe for concurrent use.
type Caller struct {
	mu      sync.Mutex
	next    int
	waiting map[string]chan Reply // by id
}

// Reply is the answer to a request: Result or Error as JSON. If the answer
// cannot be read, Broken is the reason, and Result is the readable part.
type Reply struct {
	Result, Error []byte
	Broken        string
}

// Line returns a message as a line. A notification has an empty id. params is
// JSON.
func Line(id, method string, params []byte) []byte {
	line := []byte(`{"jsonrpc":"2.0",`)
	if id != "" {
		line = append(append(append(line, `"id":`...), id...), ',')
	}
	line = rawjson.AppendText(append(line, `"method":`...), method)
	line = append(line, `,"params":`...)
	at := len(line)
	line = append(line, params...)
	for i := at; i < len(line); i++ {
		if line[i] == '\n' || line[i] == '\r' { // between tokens, because strings contain none
			line[i] = ' '
		}
	}
	return append(line, '}', '\n')
}

// Request returns a request as a line, and the channel that receives its
// answer. The caller must call forget; later answers are ignored.
func (c *Caller) Request(method string, params []byte) (line []byte, answer <-chan Reply, forget func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	id, reply := strconv.Itoa(c.next), make(chan Reply, 1)
	if c.waiting == nil {
		c.waiting = map[string]chan Reply{}
	}
	c.waiting[id] = reply
	return Line(id, method, params), reply, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.waiting, id)
	}
}

// Take handles a line of the peer. cut reports whether the line is truncated.
// The first answer to a request counts. Anything else, such as a late answer,
// is ignored. An unreadable answer fails its request if its id can be read or
// only one request is waiting.
func (c *Caller) Take(line []byte, cut bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' && !cut {
		return
	}
	r, id := readReply(line, cut)
	c.mu.Lock()
	defer c.mu.Unlock()
	if id == "" && cut && len(c.waiting) == 1 {
		for id = range c.waiting {
		}
	}
	if reply := c.waiting[id]; reply != nil {
		delete(c.waiting, id)
		reply <- r
	}
}

// readReply parses an answer. id is "" if the line is not an answer.
func readReply(line []byte, cut bool) (r Reply, id string) {
	request := false
	member := func(key string, value []byte) bool {
		switch key {
		case "id":
			id = string(value)
		case "method":
			request = true
		case "result":
			r.Result = bytes.Clone(value)
		case "error":
			if r.Error = bytes.Clone(value); string(value) == "null" {
				r.Error = nil
			}
		}
		return true
	}
	malformed := rawjson.Members(line, member)
	if malformed != nil { // the line may be truncated
		_ = rawjson.Members(append(bytes.Clone(line), '}'), member)
	}
	switch {
	case request:
		return Reply{}, ""
	case cut:
		r.Broken = "the answer is too long"
	case malformed != nil || !rawjson.Valid(line):
		r.Broken = "the answer is not JSON"
	case r.Error != nil:
		r.Result = nil
	case r.Result == nil:
		r.Broken = "the answer has neither result nor error"
	}
	return r, id
}
