package exec

import (
	"context"
	"io"
	"maps"
	"os"
	"strings"
	"testing"
	"time"
)

// runWithin runs c and checks that it ends in time (D34).
func runWithin(t *testing.T, c Command) Result {
	t.Helper()
	return runFor(t, c.Timeout+2500*time.Millisecond, c)
}

// runFor runs c up to 10 times, until it once took no longer than limit,
// because other processes disturb some of the runs.
func runFor(t *testing.T, limit time.Duration, c Command) (r Result) {
	t.Helper()
	var took []time.Duration
	for range 10 {
		begun := time.Now()
		r = Run(context.Background(), c)
		if took = append(took, time.Since(begun)); took[len(took)-1] <= limit {
			return r
		}
	}
	t.Errorf("took %v, and at most %v with a timeout of %v", took, limit, c.Timeout)
	return r
}

func testTimeout(t *testing.T) {
	for _, name := range []string{"sleep", "deaf", "spam", "close-and-sleep", "leave-and-sleep", "escape"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := helperCommand(name)
			c.Timeout, c.MaxStdout, c.MaxStderr = 400*time.Millisecond, 1000, 1000
			r := runWithin(t, c)
			if !r.TimedOut || r.Canceled || r.Err != nil || r.Status != -1 {
				t.Errorf("got %+v", r)
			}
			if len(r.Stdout.Data) > 1000 || len(r.Stderr.Data) > 1000 {
				t.Errorf("kept %d and %d bytes", len(r.Stdout.Data), len(r.Stderr.Data))
			}
		})
	}
}

// TestWaits runs tests that wait for a process, all at the same time.
func TestWaits(t *testing.T) {
	checkLeaks(t)
	tests := systemWaits()
	maps.Copy(tests, map[string]func(*testing.T){
		"busy machine": testBusyMachine, "cancel is not a timeout": testCancelIsNoTimeout, "timeout": testTimeout,
		"timeout kills the group": testTimeoutKillsTheGroup,
	})
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
}

// testBusyMachine checks that a process that has started is served, however
// late, because serving it ends its group.
func testBusyMachine(t *testing.T) {
	x, err := begin(&Command{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.streams.close()
	defer x.streams.closeTheirs()
	close(x.tried)
	canceled := make(chan struct{})
	close(canceled)
	served := make(chan servedResult, 1)
	late := time.AfterFunc(stopWait+200*time.Millisecond, func() {
		served <- servedResult{Result{Status: -1, Signal: "SIGKILL"}, true}
	})
	defer late.Stop()
	if r := x.await(canceled, nil, served); !r.Canceled || r.Signal != "SIGKILL" {
		t.Errorf("got %+v", r)
	}
}

// TestTimeoutGraceEndsEarly checks that the grace period ends with the process. It measures time
// and therefore runs alone.
func TestTimeoutGraceEndsEarly(t *testing.T) {
	c := helperCommand("sleep")
	c.Timeout = 200 * time.Millisecond
	if r := runFor(t, c.Timeout+900*time.Millisecond, c); r.Signal != endedBy {
		t.Errorf("got %+v", r)
	}
}

func testTimeoutKillsTheGroup(t *testing.T) {
	c := helperCommand("leave-and-sleep")
	pid := watchPid(t, &c)
	_, path, _ := strings.Cut(c.Env[len(c.Env)-1], "=") // of the PID file
	c.Timeout = 300 * time.Millisecond
	for started := false; !started && c.Timeout < time.Minute; c.Timeout *= 2 { // long enough to start a child
		Run(context.Background(), c)
		_, err := os.Stat(path)
		started = err == nil
	}
	left := pid()
	eventually(t, "the end of the group", func() bool { return isGone(left) })
}

func TestCancel(t *testing.T) {
	checkLeaks(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := helperCommand("cat")
	c.Stdin = writerFunc(func(w io.Writer) (int64, error) {
		n, err := w.Write([]byte("x"))
		cancel() // it has started
		return int64(n), err
	})
	c.Timeout = time.Minute
	if r := Run(ctx, c); r.TimedOut || r.Err != nil || r.Duration > slack {
		t.Errorf("got %+v", r)
	}
}

func testCancelIsNoTimeout(t *testing.T) {
	c := helperCommand("deaf")
	c.Timeout = 400 * time.Millisecond // it passes during the grace period
	canceled := func() Result {
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		defer cancel()
		return Run(ctx, c)
	}
	r := canceled()
	for range 4 { // a pause of the machine may end both times at once
		if r.TimedOut {
			r = canceled()
		}
	}
	if !r.Canceled || r.TimedOut || r.Duration > slack {
		t.Errorf("got %+v", r)
	}
}

// TestHookDiesWithUs kills the process that runs a hook.
func TestHookDiesWithUs(t *testing.T) {
	t.Parallel()
	if !diesWithParent {
		t.Skip("no parent-death signal")
	}
	c := helperCommand("run")
	pid := watchPid(t, &c)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan Result)
	go func() { ended <- Run(ctx, c) }()
	hook := pid()
	kill(parentOf(t, hook))
	if r := <-ended; r.Status == 0 {
		t.Errorf("got %+v", r)
	}
	eventually(t, "the end of the hook", func() bool { return isGone(hook) })
}
