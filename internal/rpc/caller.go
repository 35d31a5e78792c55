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
	// Refuses, if not nil, reports whether a text, which need not be JSON, seems
	// to contain a refusal. A refusal counts even in a line that otherwise does
	// not count as an answer.
	Refuses func(text []byte) bool

	mu      sync.Mutex
	next    int
	waiting map[string]chan Reply // by id
}

// Reply is the answer to a request.
type Reply struct {
	Results [][]byte // the value of each result key, as JSON
	Error   []byte   // JSON; nil if there is none
	Broken  string   // why the answer is not valid; "" if it is
	Line    []byte   // the whole line, if Broken
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
	if len(line) == 0 {
		return
	}
	r, ids, isAnswer := readReply(line, cut)
	if !isAnswer && (c.Refuses == nil || !c.Refuses(line)) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(ids) == 0 && len(c.waiting) == 1 {
		for id := range c.waiting {
			ids = append(ids, id)
		}
	}
	for _, id := range ids {
		if reply := c.waiting[id]; reply != nil {
			delete(c.waiting, id)
			reply <- r
		}
	}
}

// Fail answers each request that waits as broken.
func (c *Caller) Fail(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, reply := range c.waiting {
		reply <- Reply{Broken: why}
	}
	clear(c.waiting)
}

// readReply parses an answer and the ids of its requests. isAnswer is false if
// the line is another message or text, or has no id.
func readReply(line []byte, cut bool) (r Reply, ids []string, isAnswer bool) {
	request := false
	member := func(key string, value []byte) bool {
		switch key {
		case "id":
			ids = append(ids, string(value))
		case "method":
			request = true
		case "result":
			r.Results = append(r.Results, bytes.Clone(value))
		case "error":
			if string(value) != "null" {
				r.Error = bytes.Clone(value)
			}
		}
		return true
	}
	malformed := rawjson.Members(line, member) != nil
	if malformed { // the line may be truncated
		ids, r.Results = nil, nil
		_ = rawjson.Members(append(bytes.Clone(line), '}'), member)
	}
	valid := !malformed && rawjson.Valid(line)
	if !valid && len(ids) == 0 {
		ids = idsIn(line)
	}
	switch {
	case cut:
		r.Broken = "the answer is too long"
	case !valid:
		r.Broken = "the answer is not JSON"
	case len(ids) > 1 || len(r.Results) > 1 || request:
		r.Broken = "the answer repeats a key or is also a request"
	case r.Error == nil && r.Results == nil:
		r.Broken = "the answer has neither result nor error"
	}
	if r.Broken != "" {
		r.Line = bytes.Clone(line)
	}
	return r, ids, cut || line[0] == '{' && len(ids) > 0 && !request
}

// idsIn returns the numbers of the id keys in a text that is not JSON.
func idsIn(text []byte) (ids []string) {
	key := []byte(`"id"`)
	for at := bytes.Index(text, key); at >= 0; at = bytes.Index(text, key) {
		text = text[at+len(key):]
		i := rawjson.SkipSpace(text, 0)
		if i >= len(text) || text[i] != ':' {
			continue
		}
		i = rawjson.SkipSpace(text, i+1)
		if i == len(text) || text[i] == '{' || text[i] == '[' {
			continue
		}
		if end := rawjson.ValueEnd(text, i); end > i {
			ids = append(ids, string(text[i:end]))
		}
	}
	return ids
}
