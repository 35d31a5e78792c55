package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	agenthooks "github.com/agent-hooks/agent-hooks"
)

// errSignal is the cause of a context canceled by a signal.
var errSignal = errors.New("stopped by a signal")

// signals holds the first termination signal that was caught. nil catches none.
type signals chan os.Signal

// catchEnding catches termination signals, so that the hooks end first and the caller still sees
// the signal (D31). It returns a context that ends at the first one. They stay caught until the
// program ends.
//
// The Go runtime needs several switches between threads for each signal, together a tenth of a run
// of one hook. So they are caught on another goroutine, and the context's Done, which is called before
// a process starts, waits for it. It does not wait for the switches of the last signal: they only
// end its being blocked, if it was.
func catchEnding(parent context.Context) (context.Context, signals) {
	ctx, cancel := context.WithCancelCause(parent)
	raw, s, sigs, caught := make(chan os.Signal, 1), make(signals, 1), endingSignals(), make(chan struct{})
	go func() {
		for i, sig := range sigs {
			if i == len(sigs)-1 {
				close(caught)
			}
			if !signal.Ignored(sig) {
				signal.Notify(raw, sig)
			}
		}
		s <- <-raw
		cancel(errSignal)
	}()
	return catching{ctx, caught}, s
}

// catching is a context that ends at a signal.
type catching struct {
	context.Context
	caught <-chan struct{} // closed once signals are caught
}

// Done returns once signals are caught.
func (c catching) Done() <-chan struct{} {
	<-c.caught
	return c.Context.Done()
}

// catchEnding is like the function, and lets writes fail instead of killing the program.
func (env *Env) catchEnding(ctx context.Context) (context.Context, signals) {
	env.Stdout, env.Stderr = surviving(env.Stdout), surviving(env.Stderr)
	return catchEnding(ctx)
}

// unstopped calls f, which must not end halfway. A termination signal meanwhile ends the program
// afterwards.
func unstopped(f func() error) error {
	surviveWrites()
	caught := make(chan os.Signal, 1)
	for _, sig := range endingSignals() {
		if !signal.Ignored(sig) {
			signal.Notify(caught, sig)
		}
	}
	err := f()
	signal.Stop(caught)
	signals(caught).dieIfCaught()
	return err
}

// untilSignal calls f with a context that ends at a signal, which then ends the program. Failing
// writes do not kill it.
func untilSignal(f func(context.Context) error) error {
	surviveWrites()
	ctx, caught := catchEnding(context.Background())
	err := f(ctx)
	caught.dieIfCaught()
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

// dieIfCaught ends the program with the caught signal, if any.
func (s signals) dieIfCaught() {
	select {
	case sig := <-s:
		signal.Reset(sig)
		dieBy(sig)
	default:
	}
}

// runner returns a function that runs plans. A signal before the first hook that starts a process
// simply ends the program: nothing has to be stopped, and nothing is lost. Later ones end the hooks first.
func (env *Env) runner(ctx context.Context) func(*agenthooks.Plan, agenthooks.RunOptions) *agenthooks.Report {
	var caught signals
	return func(plan *agenthooks.Plan, o agenthooks.RunOptions) *agenthooks.Report {
		switch {
		case caught != nil:
		case plan.Starts():
			ctx, caught = env.catchEnding(ctx)
		case plan.Concerned():
			env.surviveAlone()
		}
		report := plan.Run(ctx, o)
		caught.dieIfCaught()
		return report
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
