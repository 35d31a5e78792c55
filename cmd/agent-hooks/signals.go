package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// errSignal is the cause of a context canceled by a signal.
var errSignal = errors.New("stopped by a signal")

// signals catches termination signals, so that the hooks end first and the caller still sees
// the signal (D31). They stay caught until the program ends. A nil *signals catches none.
type signals struct {
	caught chan os.Signal // the first one
	cancel context.CancelCauseFunc
}

// catchEnding returns a context that ends at the first signal. Catching signals takes a
// quarter of a millisecond, and happens while the first hook is prepared. Done of the context,
// which is called before that hook starts, waits until the signals are caught.
func catchEnding(parent context.Context) (context.Context, *signals) {
	ctx, cancel := context.WithCancelCause(parent)
	s := &signals{make(chan os.Signal, 1), cancel}
	c := &catching{Context: ctx, begin: sync.OnceFunc(s.catch)}
	go c.begin()
	return c, s
}

// catchEnding is like the function, and lets writes fail instead of killing the program.
func (env *Env) catchEnding(ctx context.Context) (context.Context, *signals) {
	env.Stdout, env.Stderr = surviving(env.Stdout), surviving(env.Stderr)
	return catchEnding(ctx)
}

// untilSignal calls f with a context that ends at a signal, which then ends the program. Failing
// writes do not kill it.
func untilSignal(f func(context.Context) error) error {
	surviveWrites()
	ctx, signals := catchEnding(context.Background())
	defer signals.release()
	ctx.Done()
	err := f(ctx)
	signals.dieIfCaught()
	return err
}

// untilEnd is like untilSignal. The context also ends when the reader of stdout has closed it,
// which is not an error.
func (env *Env) untilEnd(f func(context.Context) error) error {
	err := untilSignal(func(ctx context.Context) error {
		ctx, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		go whenUnread(env.Stdout, func() { stop(errUnread) })
		return f(ctx)
	})
	if errors.Is(err, errUnread) || errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return nil
	}
	return err
}

// catching is a context that starts to catch signals on the first call of Done, unless that has
// started already.
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

// dieIfCaught ends the program with the caught signal, if any.
func (s *signals) dieIfCaught() {
	if s == nil {
		return
	}
	select {
	case sig := <-s.caught:
		signal.Reset(sig)
		dieBy(sig)
	default:
	}
}

// release ends the context. Resetting the signals would take longer than the rest of the
// program.
func (s *signals) release() {
	if s != nil {
		s.cancel(nil)
	}
}

// surviving returns w so that a write after the end of its reader does not kill the program.
func surviving(w io.Writer) io.Writer {
	switch f := w.(type) {
	case *os.File:
		return survivor{f, surviveWrites}
	case survivor:
		return survivor{f.file, surviveWrites}
	}
	return w
}

// surviveAlone is surviving for a run that starts no process, which could inherit the ignored
// signal. Ignoring it takes less time than catching it.
func (env *Env) surviveAlone() {
	for _, w := range []*io.Writer{&env.Stdout, &env.Stderr} {
		if f, ok := (*w).(*os.File); ok {
			*w = survivor{f, ignoreWrites}
		}
	}
}

// survivor is a file on which writes after the end of its reader fail. It has no cost until the
// first write.
type survivor struct {
	file    *os.File
	survive func()
}

func (s survivor) Write(p []byte) (int, error) {
	s.survive()
	return s.file.Write(p)
}

// Fd lets the terminal be recognized.
func (s survivor) Fd() uintptr { return s.file.Fd() }
