// Package rpc serves JSON-RPC 2.0 over a pair of streams, with one message on
// each line. Requests run concurrently, and each is answered when it is ready.
// A malformed line gets an error response and affects nothing else.
//
// The package is independent of hooks: methods are passed as functions.
package rpc

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// The error codes of JSON-RPC 2.0, and the code of a canceled request.
const (
	ParseError     = -32700
	InvalidRequest = -32600
	MethodNotFound = -32601
	InvalidParams  = -32602
	InternalError  = -32603
	Canceled       = -32800
)

// Error is an error with a JSON-RPC code. Any other error of a method is an
// InternalError.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Errorf returns an Error.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{code, fmt.Sprintf(format, args...)}
}

// Method handles one kind of request. Its result is encoded as JSON. It must
// return soon after ctx has ended.
type Method struct {
	Call func(ctx context.Context, params []byte) (any, error)
	// Lenient means that params may be malformed inside; Call then checks them.
	Lenient bool
	// InOrder means that Call returns quickly and that no later message is read
	// before it has returned.
	InOrder bool
	// Silent means that the method is a notification, which is not answered
	// even if it has an id.
	Silent bool
}

const (
	maxLine    = 256 << 20 // bytes of a message if MaxLine is 0
	maxAtOnce  = 64        // requests that run concurrently
	maxPending = 4096      // requests that run or wait; at the limit, reading stops
)

// errCanceled is the cancellation cause of a canceled request's context.
var errCanceled = errors.New("canceled")

// running is a request that has not been answered. Several may have the same id.
type running struct {
	id     string // JSON; "" for a notification
	cancel context.CancelCauseFunc
}

// Server serves one connection.
type Server struct {
	Methods map[string]Method
	// Grace is the time for which requests may continue after the end of input,
	// and the maximum time to wait for canceled ones.
	Grace time.Duration
	// MaxLine is the maximum size of a message in bytes. Larger messages are
	// skipped. 0 means 256 MiB.
	MaxLine int

	out     sync.Mutex
	writer  io.Writer               // guarded by out; nil before Serve
	stop    context.CancelCauseFunc // guarded by out until Serve has set it
	mu      sync.Mutex
	running map[*running]bool // guarded by mu
	slots   chan struct{}
	pending chan struct{}
	calls   sync.WaitGroup
}

// Serve reads messages from in until its end, then lets the requests finish for
// Grace and cancels the others. It also ends when ctx ends or when writing to
// out fails. It returns the error of reading or writing. If the reader has
// left, that is io.ErrClosedPipe or the system's equivalent.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s.out.Lock()
	s.writer, s.stop = out, stop
	s.out.Unlock()
	s.running = map[*running]bool{}
	s.slots, s.pending = make(chan struct{}, maxAtOnce), make(chan struct{}, maxPending)
	read := make(chan error, 1)
	go func() { read <- s.read(ctx, in) }()
	var err error
	select {
	case err = <-read:
		s.ended(ctx.Done())
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	s.stop(errCanceled)
	s.ended(nil)
	return err
}

// ended waits until the requests have ended, but at most for Grace: if the
// client does not read, answers cannot be written. It also returns when stop is
// closed.
func (s *Server) ended(stop <-chan struct{}) {
	done := make(chan struct{})
	go func() { s.calls.Wait(); close(done) }()
	late := time.NewTimer(s.Grace)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	case <-stop:
	}
}

// read handles each line. It returns nil at the end of input.
func (s *Server) read(ctx context.Context, in io.Reader) error {
	lines := &lineReader{bufio.NewReaderSize(in, 64<<10), cmp.Or(s.MaxLine, maxLine)}
	for ctx.Err() == nil {
		line, err := lines.next()
		if len(bytes.TrimSpace(line)) > 0 {
			s.line(ctx, line)
		}
		switch {
		case errors.Is(err, errLong):
			s.send(failed(nil, Errorf(InvalidRequest, "the message is above %d bytes", lines.limit)))
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}

// line handles a message or a batch.
func (s *Server) line(ctx context.Context, line []byte) {
	line = bytes.TrimSpace(line)
	if line[0] != '[' {
		s.message(ctx, line, s.send)
		return
	}
	var batch []json.RawMessage
	if json.Unmarshal(line, &batch) != nil {
		s.send(failed(nil, Errorf(ParseError, "not JSON")))
		return
	}
	if len(batch) == 0 {
		s.send(failed(nil, Errorf(InvalidRequest, "an empty batch")))
		return
	}
	s.batch(ctx, batch)
}

// batch handles the messages of a batch and sends their answers together.
func (s *Server) batch(ctx context.Context, messages []json.RawMessage) {
	var mu sync.Mutex
	var answers []*response
	var all sync.WaitGroup
	for _, m := range messages {
		all.Add(1)
		s.message(ctx, m, func(r *response) {
			if r != nil {
				mu.Lock()
				answers = append(answers, r)
				mu.Unlock()
			}
			all.Done()
		})
	}
	s.calls.Go(func() {
		all.Wait()
		if len(answers) > 0 {
			s.write(answers)
		}
	})
}

// request is one message of the client.
type request struct {
	id     []byte // JSON; nil: a notification
	method string
	params []byte
}

// message handles one message. It calls reply once, with nil if there is no
// response.
func (s *Server) message(ctx context.Context, text []byte, reply func(*response)) {
	r, err := parse(text)
	if err != nil {
		reply(failed(r.id, err))
		return
	}
	if r.method == "$/cancel" {
		reply(r.answer(nil, s.cancel(r.params)))
		return
	}
	m, ok := s.Methods[r.method]
	switch {
	case !ok:
		reply(r.answer(nil, Errorf(MethodNotFound, "unknown method %q", shown.Cut(r.method, 100))))
	case !m.Lenient && r.params != nil && !(rawjson.Valid(r.params) && utf8.Valid(r.params)):
		reply(failed(nil, Errorf(ParseError, "not JSON")))
	case m.InOrder:
		result, err := call(ctx, m, r.params)
		reply(r.answer(result, err))
	default:
		if m.Silent {
			r.id = nil
		}
		s.start(ctx, r, m, reply)
	}
}

// start runs a request in its own goroutine.
func (s *Server) start(ctx context.Context, r request, m Method, reply func(*response)) {
	ctx, done := s.register(ctx, r.id)
	s.pending <- struct{}{}
	s.calls.Go(func() {
		defer func() { <-s.pending }()
		defer done()
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		case <-ctx.Done():
		}
		result, err := call(ctx, m, r.params)
		if ctx.Err() != nil {
			result, err = nil, Errorf(Canceled, "the request was canceled")
		}
		reply(r.answer(result, err))
	})
}

// call calls the method. It converts a panic to an error.
func call(ctx context.Context, m Method, params []byte) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, fmt.Errorf("internal error: %v", p)
		}
	}()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return m.Call(ctx, params)
}

// register creates a request's context, which the cancel method can end.
func (s *Server) register(ctx context.Context, id []byte) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	r := &running{string(id), cancel}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[r] = true
	return ctx, func() {
		cancel(nil)
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, r)
	}
}

// cancel ends the requests with the id in params.
func (s *Server) cancel(params []byte) error {
	var p struct{ ID json.RawMessage }
	if json.Unmarshal(params, &p) != nil || !isID(p.ID) {
		return Errorf(InvalidParams, "params does not have the id of a request")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for r := range s.running {
		if r.id == string(p.ID) {
			r.cancel(errCanceled)
		}
	}
	return nil
}

// Notify sends a notification. It does nothing before Serve begins. Safe for concurrent use.
func (s *Server) Notify(method string, params any) {
	s.write(struct {
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params})
}
