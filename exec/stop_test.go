//go:build unix

package exec

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// runWithin runs c and checks the promise of D34.
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
	for name, test := range map[string]func(*testing.T){
		"start that hangs": testStartThatHangs, "busy program": testBusyProgram, "busy machine": testBusyMachine,
		"deaf": testDeaf, "cancel is not a timeout": testCancelIsNoTimeout, "timeout": testTimeout,
		"timeout kills the group": testTimeoutKillsTheGroup, "threads that end": testThreadsThatEnd,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
}

// TestTimeoutGraceEndsEarly checks that the grace period ends with the process. It measures time
// and therefore runs alone.
func TestTimeoutGraceEndsEarly(t *testing.T) {
	c := helperCommand("sleep")
	c.Timeout = 200 * time.Millisecond
	if r := runFor(t, c.Timeout+900*time.Millisecond, c); r.Signal != "SIGTERM" {
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

// testDeaf needs SIGKILL: the process ignores SIGTERM before it is canceled.
func testDeaf(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ready := t.TempDir() + "/ready"
	c := Command{
		Path: "/bin/sh", Args: []string{"sh", "-c", "trap '' TERM; : >" + ready + "; while :; do sleep 1; done"},
		Env: os.Environ(), Timeout: time.Minute,
	}
	ended := make(chan Result)
	go func() { ended <- Run(ctx, c) }()
	eventually(t, "the trap", func() bool { _, err := os.Stat(ready); return err == nil })
	cancel()
	if r := <-ended; !r.Canceled || r.Signal != "SIGKILL" {
		t.Errorf("got %+v", r)
	}
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
	if runtime.GOOS != "linux" {
		t.Skip("no parent-death signal")
	}
	c := helperCommand("run")
	pid := watchPid(t, &c)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan Result)
	go func() { ended <- Run(ctx, c) }()
	hook := pid()
	parent := parentOf(t, hook)
	unix.Kill(parent, unix.SIGKILL)
	if r := <-ended; r.Signal != "SIGKILL" {
		t.Errorf("got %+v", r)
	}
	eventually(t, "the end of the hook", func() bool { return isGone(hook) })
}

func parentOf(t *testing.T, pid int) int {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return mustInt(strings.Fields(rest)[1])
}

// testThreadsThatEnd checks that a hook outlives the thread that started it,
// with which Linux would kill it. Threads end all the time here, and there are
// more goroutines than processors, so that they change threads.
func testThreadsThatEnd(t *testing.T) {
	rounds := 2
	if os.Getenv("LONG_TESTS") != "" {
		rounds = 10
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for range 4 {
		go endThreads(ctx)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range rounds {
				c := Command{Path: "/bin/sh", Args: []string{"sh", "-c", "sleep 0.02"}, Env: os.Environ()}
				if r := Run(ctx, c); r.Status != 0 {
					t.Errorf("got %+v", r)
				}
			}
		})
	}
	group.Wait()
}

// endThreads ends one thread after another, with goroutines that keep theirs
// locked.
func endThreads(ctx context.Context) {
	for ctx.Err() == nil {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			runtime.LockOSThread()
		}()
		<-ended
	}
}
