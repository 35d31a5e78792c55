package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"sync"
)

// errSignal is the cause of a context that a signal ended.
var errSignal = errors.New("stopped by a signal")

// signals catches what asks the program to end, so that its hooks end first
// and the caller still sees the signal (D31). They stay caught until the
// program ends, which it is about to.
type signals struct {
	caught chan os.Signal // the first one
	cancel context.CancelCauseFunc
}

// catchSignals returns a context that ends at the first signal, and keeps
// writes that fail from killing the program.
func catchSignals(parent context.Context) (context.Context, *signals) {
	surviveWrites()
	ctx, s := catchEnding(parent)
	ctx.Done()
	return ctx, s
}

// catchEnding is catchSignals without the care for writes. Catching takes a
// quarter of a millisecond, in which the first hook is prepared: whoever asks
// the context for its end, as that hook's start does, waits until the signals
// are caught.
func catchEnding(parent context.Context) (context.Context, *signals) {
	ctx, cancel := context.WithCancelCause(parent)
	s := &signals{make(chan os.Signal, 1), cancel}
	c := &catching{Context: ctx, begin: sync.OnceFunc(s.catch)}
	go c.begin()
	return c, s
}

// catching is a context whose first wait begins to catch, unless that has
// begun already.
type catching struct {
	context.Context
	begin func()
}

func (c *catching) Done() <-chan struct{} {
	c.begin()
	return c.Context.Done()
}

func (s *signals) catch() {
	raw := make(chan os.Signal, 1)
	for _, sig := range endingSignals() {
		if !signal.Ignored(sig) {
			signal.Notify(raw, sig)
		}
	}
	go func() {
		s.caught <- <-raw
		s.cancel(errSignal)
	}()
}

// dieIfCaught ends the program by the signal that was caught, if any.
func (s *signals) dieIfCaught() {
	select {
	case sig := <-s.caught:
		signal.Reset(sig)
		dieBy(sig)
	default:
	}
}

// release ends the context. To give the signals back would take longer than
// the rest of the program.
func (s *signals) release() { s.cancel(nil) }

// survivor is a stream whose end the program survives. Who writes nothing
// pays nothing for it.
type survivor struct{ io.Writer }

func (s survivor) Write(p []byte) (int, error) {
	surviveWrites()
	return s.Writer.Write(p)
}
