package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// readEvent reads one JSON object from in, up to its closing brace: many callers never close
// the pipe (D20). raw is nil if the input contains only white space. extra reports whether
// other data than white space was already available after the object. It is an error if no data
// arrives for stall.
func readEvent(ctx context.Context, in io.Reader, stall time.Duration) (raw []byte, extra bool, err error) {
	var scanner rawjson.Scanner
	buf := make([]byte, 0, firstRoom(in))
	for {
		if len(buf) == cap(buf) {
			buf = grow(buf)
		}
		n, err := readChunk(ctx, in, buf[len(buf):cap(buf)], stall)
		buf = buf[:len(buf)+n]
		start, end, done, scanErr := scanner.End(buf)
		switch {
		case scanErr != nil:
			return nil, false, fmt.Errorf("the event on stdin is %w", scanErr)
		case done:
			return buf[start:end:end], len(bytes.Trim(buf[end:], " \t\r\n")) > 0, nil
		case errors.Is(err, io.EOF) && !scanner.Begun():
			return nil, false, nil
		case errors.Is(err, io.EOF):
			return nil, false, fmt.Errorf("the event on stdin ends after %d bytes, before its closing brace", len(buf))
		case err != nil:
			return nil, false, fmt.Errorf("read the event on stdin: %w", err)
		}
	}
}

// firstRoom returns the initial size of the buffer: the size of a regular file, or enough for
// the object of most callers that use a pipe.
func firstRoom(in io.Reader) int64 {
	const low, high = 16 << 10, 1 << 30
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return min(max(low, info.Size()), high)
		}
	}
	return low
}

// grow doubles the buffer. For a large event, it frees the old half immediately, without
// waiting for the next garbage collection.
func grow(buf []byte) []byte {
	const big = 8 << 20
	grown := append(make([]byte, 0, 2*cap(buf)), buf...)
	if len(buf) >= big {
		buf = nil
		debug.FreeOSMemory()
	}
	return grown
}

// readChunk reads the data that is already available, which is usually the whole event. Otherwise,
// it reads in a separate goroutine, because a read from a pipe cannot be canceled. After an error,
// buf must not be used again.
func readChunk(ctx context.Context, in io.Reader, buf []byte, stall time.Duration) (int, error) {
	if n := readNow(in, buf); n > 0 {
		return n, nil
	}
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- result{err: fmt.Errorf("internal error: %v", p)}
			}
		}()
		n, err := in.Read(buf)
		done <- result{n, err}
	}()
	timer := time.NewTimer(stall)
	defer timer.Stop()
	select {
	case r := <-done:
		return r.n, r.err
	case <-timer.C:
		return 0, fmt.Errorf("no data arrived for %v", stall)
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// eventInput reads the event of a command that takes one on stdin, or described by flags.
func (env *Env) eventInput(ctx context.Context, command string, event spec.EventType, call callFlags) (*protocol.Event, []string, error) {
	if call.given() {
		parsed, warnings := protocol.ParseEvent(event, call.object(), now())
		return parsed, warnings, nil
	}
	if term.IsTerminal(env.Stdin) {
		return nil, nil, usagef(fmt.Sprintf("agent-hooks %s %s < ctx.json", command, event), "%s reads the event as JSON from stdin, which is a terminal", command)
	}
	raw, extra, err := readEvent(ctx, env.Stdin, spec.StallTimeout)
	if err != nil {
		return nil, nil, err
	}
	if raw == nil && event.IsTool() {
		return nil, nil, usagef(fmt.Sprintf("agent-hooks %s %s --command TEXT", command, event), "%s: stdin is empty, but %s needs the tool call", command, event)
	}
	raw, caller := agent.Complete(raw, event)
	parsed, warnings := protocol.ParseEvent(event, raw, now())
	if extra {
		warnings = append(warnings, "more data follows the event on stdin; it is ignored")
	}
	if caller != nil && command == "run" && (parsed.SessionID == "" || state.FactsIn(env.state()).Add("agent", caller.Name, parsed.SessionID)) {
		// once per session (D45)
		warnings = append(warnings, fmt.Sprintf("the payload is one of %s, which is answered in its own form only with --agent %s", caller.Title, caller.Name))
	}
	return parsed, warnings, nil
}

// now returns the time as events have it.
func now() string { return time.Now().UTC().Format(time.RFC3339) }
