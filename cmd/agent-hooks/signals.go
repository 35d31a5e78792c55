package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
)

// errSignal is the cause of a context that a signal ended.
var errSignal = errors.New("stopped by a signal")

// signals catches what asks the program to end, so that its hooks end first
// and the caller still sees the signal (D31). It also keeps writes that fail
// from killing the program.
type signals struct {
	caught chan os.Signal // the first one
	cancel context.CancelCauseFunc
	raw    chan os.Signal
	writes chan os.Signal
}

// catchSignals returns a context that ends at the first signal.
func catchSignals(parent context.Context) (context.Context, *signals) {
	ctx, cancel := context.WithCancelCause(parent)
	s := &signals{make(chan os.Signal, 1), cancel, make(chan os.Signal, 1), make(chan os.Signal, 1)}
	for _, sig := range endingSignals() {
		if !signal.Ignored(sig) {
			signal.Notify(s.raw, sig)
		}
	}
	notifyWrites(s.writes)
	go func() {
		if sig, ok := <-s.raw; ok {
			s.caught <- sig
			cancel(errSignal)
		}
	}()
	return ctx, s
}

// dieIfCaught ends the program by the signal that was caught, if any.
func (s *signals) dieIfCaught() {
	select {
	case sig := <-s.caught:
		signal.Stop(s.raw)
		signal.Reset(sig)
		dieBy(sig)
	default:
	}
}

func (s *signals) release() {
	signal.Stop(s.raw)
	close(s.raw)
	s.cancel(nil)
}
