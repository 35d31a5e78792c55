//go:build unix

package exec

import (
	"bytes"
	"context"
	"errors"
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

// slack is what the tests allow above the promised bound on a busy machine.
const slack = 500 * time.Millisecond

func input(s string) io.WriterTo { return strings.NewReader(s) }

type writerFunc func(w io.Writer) (int64, error)

func (f writerFunc) WriteTo(w io.Writer) (int64, error) { return f(w) }

// zeros is n bytes that take no memory.
func zeros(n int64) io.WriterTo {
	return writerFunc(func(w io.Writer) (int64, error) {
		block := make([]byte, 64<<10)
		for left := n; left > 0; left -= int64(len(block)) {
			if _, err := w.Write(block[:min(left, int64(len(block)))]); err != nil {
				return 0, err
			}
		}
		return n, nil
	})
}

func TestExit(t *testing.T) {
	tests := []struct {
		helper string
		status int
		signal string
	}{
		{"exit 0", 0, ""},
		{"exit 1", 1, ""},
		{"exit 2", 2, ""},
		{"exit 255", 255, ""},
		{"die 9", -1, "SIGKILL"},
		{"die 15", -1, "SIGTERM"},
		{"die 1", -1, "SIGHUP"},
	}
	for _, test := range tests {
		t.Run(test.helper, func(t *testing.T) {
			checkLeaks(t)
			r := Run(context.Background(), helperCommand(test.helper))
			if r.Err != nil || r.Status != test.status || r.Signal != test.signal || r.TimedOut || r.Canceled {
				t.Errorf("got %+v", r)
			}
			if r.Duration <= 0 {
				t.Errorf("duration %v", r.Duration)
			}
		})
	}
}

func TestSignalWithoutName(t *testing.T) {
	if got := signalName(40); got != "signal 40" {
		t.Errorf("got %q", got)
	}
}

func TestStdin(t *testing.T) {
	checkLeaks(t)
	c := helperCommand("cat")
	c.Stdin = input(`{"a": 1}`)
	if r := Run(context.Background(), c); string(r.Stdout.Data) != `{"a": 1}` || r.Err != nil {
		t.Errorf("got %+v", r)
	}
	c.Stdin = nil
	if r := Run(context.Background(), c); len(r.Stdout.Data) != 0 || r.Status != 0 || r.Err != nil {
		t.Errorf("empty: got %+v", r)
	}
}

func TestLargeStdin(t *testing.T) {
	for _, test := range []struct{ helper, want string }{
		{"count", "104857600"},
		{"exit 0", ""},
		{"close-stdin", ""},
	} {
		t.Run(test.helper, func(t *testing.T) {
			checkLeaks(t)
			c := helperCommand(test.helper)
			c.Stdin = zeros(100 << 20)
			r := Run(context.Background(), c)
			if r.Err != nil || r.Status != 0 || string(r.Stdout.Data) != test.want {
				t.Errorf("got %+v", r)
			}
		})
	}
}

func TestStdinNeverRead(t *testing.T) {
	checkLeaks(t)
	c := helperCommand("sleep")
	c.Stdin, c.Timeout = zeros(100<<20), 300*time.Millisecond
	if r := runWithin(t, c); !r.TimedOut || r.Err != nil {
		t.Errorf("got %+v", r)
	}
}

func TestStdinCannotBeProduced(t *testing.T) {
	lost := errors.New("lost")
	tests := map[string]struct {
		src  io.WriterTo
		want string
	}{
		"error": {writerFunc(func(w io.Writer) (int64, error) {
			fmt.Fprint(w, `{"a":`)
			return 0, lost
		}), "lost"},
		"panic": {writerFunc(func(w io.Writer) (int64, error) { panic("oh") }), "panic: oh"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			checkLeaks(t)
			c := helperCommand("cat")
			c.Stdin = test.src
			r := runWithin(t, c)
			if r.Err == nil || !strings.Contains(r.Err.Error(), test.want) || r.Status == 0 || r.TimedOut {
				t.Errorf("got %+v", r)
			}
		})
	}
}

func TestOutputIsBounded(t *testing.T) {
	tests := []struct {
		n, max  int
		tail    bool
		dropped int64
	}{
		{0, 10, false, 0},
		{10, 10, false, 0},
		{11, 10, false, 1},
		{500_000, 0, false, 500_000},
		{500_000, 100_000, false, 400_000},
		{500_000, 1 << 20, false, 0},
		{10, 10, true, 0},
		{500_000, 1000, true, 499_000},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			c := helperCommand(fmt.Sprint("write ", test.n))
			c.MaxStdout, c.MaxStderr, c.tail = test.max, test.max, test.tail
			r := Run(context.Background(), c)
			if len(r.Stdout.Data) != min(test.n, test.max) || r.Stdout.Dropped != test.dropped {
				t.Errorf("stdout %d + %d", len(r.Stdout.Data), r.Stdout.Dropped)
			}
			if got := int64(len(r.Stderr.Data)) + r.Stderr.Dropped; got != int64(test.n+3) {
				t.Errorf("stderr %d in all", got)
			}
			if test.tail && !bytes.HasSuffix(r.Stderr.Data, []byte("end")) {
				t.Errorf("stderr ends in %q", r.Stderr.Data[len(r.Stderr.Data)-3:])
			}
		})
	}
}

// runWithin runs c and checks the promise of D34.
func runWithin(t *testing.T, c Command) Result {
	t.Helper()
	begun := time.Now()
	r := Run(context.Background(), c)
	if took := time.Since(begun); took > c.Timeout+2*time.Second+slack {
		t.Errorf("took %v with a timeout of %v", took, c.Timeout)
	}
	return r
}

func TestTimeout(t *testing.T) {
	for _, name := range []string{"sleep", "deaf", "spam", "close-and-sleep", "leave-and-sleep", "escape"} {
		t.Run(name, func(t *testing.T) {
			checkLeaks(t)
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

func TestTimeoutGraceEndsEarly(t *testing.T) {
	c := helperCommand("sleep")
	c.Timeout = 200 * time.Millisecond
	r := Run(context.Background(), c)
	if r.Signal != "SIGTERM" || r.Duration > c.Timeout+900*time.Millisecond {
		t.Errorf("got %+v", r)
	}
}

func TestTimeoutKillsTheGroup(t *testing.T) {
	c := helperCommand("leave-and-sleep")
	pid := watchPid(t, &c)
	c.Timeout = 3 * time.Second // enough to start a child
	Run(context.Background(), c)
	left := pid()
	eventually(t, "the end of the group", func() bool { return isGone(left) })
}

// TestDeaf needs SIGKILL: it ignores SIGTERM before it is canceled.
func TestDeaf(t *testing.T) {
	checkLeaks(t)
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
		cancel() // it runs by now
		return int64(n), err
	})
	c.Timeout = time.Minute
	if r := Run(ctx, c); r.TimedOut || r.Err != nil || r.Duration > 3*time.Second {
		t.Errorf("got %+v", r)
	}
}

func TestCancelIsNoTimeout(t *testing.T) {
	checkLeaks(t)
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	c := helperCommand("deaf")
	c.Timeout = 400 * time.Millisecond // passes during the grace
	if r := Run(ctx, c); !r.Canceled || r.TimedOut || r.Duration > 200*time.Millisecond+2*time.Second+slack {
		t.Errorf("got %+v", r)
	}
	if r := Run(ctx, c); !r.Canceled || r.Duration > slack {
		t.Errorf("before the start: got %+v", r)
	}
}

func isWhole(data []byte) bool { return bytes.HasSuffix(data, []byte("}")) }

func TestChildHoldsStdout(t *testing.T) {
	tests := []struct {
		helper, want string
		complete     func([]byte) bool
		quick        bool
	}{
		{`leave {"a":1}`, `{"a":1}`, isWhole, true},
		{`leave {"a":`, `{"a":`, isWhole, false},
		{`leave {"a":1}`, `{"a":1}`, nil, false},
		{`leave-talker`, `{"half":1}`, isWhole, true},
	}
	for _, test := range tests {
		t.Run(test.helper, func(t *testing.T) {
			checkLeaks(t)
			c := helperCommand(test.helper)
			pid := watchPid(t, &c)
			c.Complete = test.complete
			r := Run(context.Background(), c)
			if r.Status != 0 || r.Err != nil || string(r.Stdout.Data) != test.want {
				t.Errorf("got %+v", r)
			}
			if isGone(pid()) {
				t.Error("the child was killed")
			}
			if !test.quick && r.Duration < 250*time.Millisecond {
				t.Errorf("waited %v only", r.Duration)
			}
		})
	}
}

// TestWholeAnswerEndsTheWait would take the grace otherwise.
func TestWholeAnswerEndsTheWait(t *testing.T) {
	best := time.Hour
	for range 5 {
		c := helperCommand(`leave {}`)
		watchPid(t, &c)
		var asked time.Time
		c.Complete = func(data []byte) bool {
			asked = time.Now()
			return isWhole(data)
		}
		Run(context.Background(), c)
		best = min(best, time.Since(asked))
	}
	if best > 200*time.Millisecond {
		t.Errorf("took %v after the answer", best)
	}
}

func TestChildSpamsAfterTheExit(t *testing.T) {
	checkLeaks(t)
	c := helperCommand("leave-spammer")
	watchPid(t, &c)
	c.MaxStdout = 100
	r := Run(context.Background(), c)
	if r.Status != 0 || r.Duration > 3*time.Second || len(r.Stdout.Data) != 100 || r.Stdout.Dropped == 0 {
		t.Errorf("got %+v", r)
	}
}

// TestNothingWrittenIsLost: all that was written before the exit counts,
// whoever holds the pipe.
func TestNothingWrittenIsLost(t *testing.T) {
	answer := strings.Repeat("x", 60_000) + "}"
	for range 10 {
		c := Command{
			Path: "/bin/sh", Dir: t.TempDir(), MaxStdout: 1 << 20, MaxStderr: 1 << 20,
			Args:     []string{"sh", "-c", `sleep 2 & cat; echo reason >&2; exit 2`},
			Env:      os.Environ(),
			Stdin:    input(answer),
			Complete: isWhole,
		}
		r := Run(context.Background(), c)
		if string(r.Stdout.Data) != answer || string(r.Stderr.Data) != "reason\n" || r.Status != 2 {
			t.Fatalf("got %d bytes, stderr %q, status %d", len(r.Stdout.Data), r.Stderr.Data, r.Status)
		}
	}
}

// TestWhatThePipeHoldsCounts: all that was written before the exit is read,
// before the answer is looked at.
func TestWhatThePipeHoldsCounts(t *testing.T) {
	checkLeaks(t)
	asked := 0
	x, err := begin(&Command{MaxStdout: 1 << 20, Complete: func(data []byte) bool {
		asked = len(data)
		return true
	}})
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.Repeat([]byte("x"), 50_000)
	if _, err := unix.Write(x.streams.theirs[1], data); err != nil {
		t.Fatal(err)
	}
	x.readRest()
	if !bytes.Equal(x.outputs[stdout].data, data) || asked != len(data) {
		t.Errorf("got %d bytes, asked at %d", len(x.outputs[stdout].data), asked)
	}
	x.streams.closeTheirs()
	x.streams.close()
	x.streams.wish()
}

func TestCompletePanics(t *testing.T) {
	checkLeaks(t)
	c := helperCommand(`leave {}`)
	watchPid(t, &c)
	c.Complete = func([]byte) bool { panic("oh") }
	r := Run(context.Background(), c)
	if r.Err == nil || !strings.Contains(r.Err.Error(), "panic: oh") {
		t.Errorf("got %+v", r)
	}
}

func TestWhatAProcessGets(t *testing.T) {
	for _, test := range []struct{ helper, want string }{
		{"fd-flags", "false false false "},
		{"session", "true"},
	} {
		c := helperCommand(test.helper)
		c.Stdin = input("")
		if r := Run(context.Background(), c); string(r.Stdout.Data) != test.want {
			t.Errorf("%s: got %q", test.helper, r.Stdout.Data)
		}
	}
}

func TestDirAndEnv(t *testing.T) {
	dir := t.TempDir()
	c := Command{Path: "/bin/sh", Args: []string{"sh", "-c", `pwd -P; echo "$A-$HOME"`}, Dir: dir, Env: []string{"A=1"}, MaxStdout: 1000}
	r := Run(context.Background(), c)
	if want := dir + "\n1-\n"; !strings.HasSuffix(string(r.Stdout.Data), want) {
		t.Errorf("got %q, want %q", r.Stdout.Data, want)
	}
	c.Env = nil
	if r := Run(context.Background(), c); !strings.HasSuffix(string(r.Stdout.Data), "\n-\n") {
		t.Errorf("no environment: got %q", r.Stdout.Data)
	}
}

// TestHookDiesWithUs kills a process that runs a hook.
func TestHookDiesWithUs(t *testing.T) {
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

// TestThreadsThatEnd: Linux would kill a hook together with the thread that
// started it. Threads end all the time here, and there are more goroutines
// than processors, so that they change threads.
func TestThreadsThatEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for range 4 {
		go endThreads(ctx)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 10 {
				c := Command{Path: "/bin/sh", Args: []string{"sh", "-c", "sleep 0.02"}, Env: os.Environ()}
				if r := Run(ctx, c); r.Status != 0 {
					t.Errorf("got %+v", r)
				}
			}
		})
	}
	group.Wait()
}

// endThreads ends one thread after the other, by goroutines that keep theirs.
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

// TestRetry: all attempts share the timeout, failed sees each result once,
// and what was stopped is not tried again (D12).
func TestRetry(t *testing.T) {
	checkLeaks(t)
	never := func(Result) bool { return false }
	always := func(Result) bool { return true }
	for _, test := range []struct {
		name     string
		helper   string
		timeout  time.Duration
		times    int
		failed   func(Result) bool
		attempts int
	}{
		{"no failure", "exit 3", time.Minute, 5, never, 1},
		{"failures", "exit 0", time.Minute, 2, always, 3},
		{"no retries", "exit 3", time.Minute, 0, always, 1},
		{"no timeout", "exit 3", 0, 1, always, 2},
		{"timeout", "sleep", 200 * time.Millisecond, 5, always, 1},
		{"over before it starts", "exit 3", time.Nanosecond, 5, always, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := helperCommand(test.helper)
			c.Timeout = test.timeout
			attempts := 0
			Retry(context.Background(), c, test.times, func(r Result) bool {
				attempts++
				return test.failed(r)
			})
			if attempts != test.attempts {
				t.Errorf("%d attempts, want %d", attempts, test.attempts)
			}
		})
	}
}
