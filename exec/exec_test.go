package exec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// slack is the time that a test allows in addition to a limit where the exact
// limit does not matter. runWithin checks exact limits.
const slack = 20 * time.Second

func input(s string) io.WriterTo { return strings.NewReader(s) }

type writerFunc func(w io.Writer) (int64, error)

func (f writerFunc) WriteTo(w io.Writer) (int64, error) { return f(w) }

// zeros writes n zero bytes, one block at a time.
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

// exit is how a helper ends.
type exit struct {
	helper string
	status int
	signal string
}

func TestExit(t *testing.T) {
	tests := append(systemExits(), []exit{
		{"exit 0", 0, ""},
		{"exit 1", 1, ""},
		{"exit 2", 2, ""},
		{"exit 255", 255, ""},
	}...)
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

func TestDirAndEnv(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := helperCommand("where")
	c.Dir, c.Env = dir, []string{helperVar + "=where", "A=1"}
	r := Run(context.Background(), c)
	if want := dir + "\n1-\n"; string(r.Stdout.Data) != want {
		t.Errorf("got %q, want %q", r.Stdout.Data, want)
	}
	c.Env = c.Env[:1]
	if r := Run(context.Background(), c); !strings.HasSuffix(string(r.Stdout.Data), "\n-\n") {
		t.Errorf("no environment: got %q", r.Stdout.Data)
	}
}

// TestCanceledBefore checks that nothing starts when the context has ended.
func TestCanceledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	started := filepath.Join(t.TempDir(), "started")
	c := helperCommand("announce")
	c.Env = append(c.Env, "PIDFILE="+started)
	r := Run(ctx, c)
	if _, err := os.Stat(started); err == nil || !r.Canceled || r.Status != -1 {
		t.Errorf("got %+v, %v", r, err)
	}
}

// TestRetry checks that all attempts share the limit, that failed is called
// once for each result, and that a process is tried again after its timeout only
// while time is left (D12).
func TestRetry(t *testing.T) {
	checkLeaks(t)
	never := func(Result) bool { return false }
	always := func(Result) bool { return true }
	for _, test := range []struct {
		name     string
		helper   string
		timeout  time.Duration
		limit    time.Duration
		times    int
		failed   func(Result) bool
		attempts int
	}{
		{"no failure", "exit 3", time.Minute, time.Minute, 5, never, 1},
		{"failures", "exit 0", time.Minute, time.Minute, 2, always, 3},
		{"no retries", "exit 3", time.Minute, time.Minute, 0, always, 1},
		{"no timeout", "exit 3", 0, 0, 1, always, 2},
		{"timeout", "sleep", 200 * time.Millisecond, 200 * time.Millisecond, 5, always, 1},
		{"timeout of each", "sleep", 100 * time.Millisecond, time.Minute, 2, always, 3},
		{"over before it starts", "exit 3", time.Nanosecond, time.Nanosecond, 5, always, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := helperCommand(test.helper)
			c.Timeout = test.timeout
			attempts := 0
			Retry(context.Background(), c, test.times, test.limit, func(r Result) bool {
				attempts++
				return test.failed(r)
			})
			if attempts != test.attempts {
				t.Errorf("%d attempts, want %d", attempts, test.attempts)
			}
		})
	}
}
