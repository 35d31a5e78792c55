package exec

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

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
			c.MaxStdout, c.MaxStderr, c.Tail = test.max, test.max, test.tail
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

// runUntil runs c until the result is as wanted, up to a limit: on a busy
// machine, a child that has a moment after its parent's end may be too late.
func runUntil(c Command, ok func(Result) bool) (r Result) {
	for range 20 {
		if r = Run(context.Background(), c); ok(r) {
			break
		}
	}
	return r
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
			r := runUntil(c, func(r Result) bool { return string(r.Stdout.Data) == test.want || r.Duration < spec.PipeGrace })
			if r.Status != 0 || r.Err != nil || string(r.Stdout.Data) != test.want {
				t.Errorf("got %+v", r)
			}
			if isGone(pid()) {
				t.Error("the child was killed")
			}
			if !(test.quick && tellsPending) && r.Duration < spec.PipeGrace {
				t.Errorf("waited %v only", r.Duration)
			}
		})
	}
}

// TestWholeAnswerEndsTheWait checks that a complete answer ends the run before
// the grace period does.
func TestWholeAnswerEndsTheWait(t *testing.T) {
	if !tellsPending {
		t.Skip("the content of a pipe is unknown, so that the run ends with the grace period")
	}
	const most = 200 * time.Millisecond
	best := time.Hour
	for tries := 0; tries < 50 && best > most; tries++ { // the machine may be busy
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
	if best > most {
		t.Errorf("took %v after the answer", best)
	}
}

func TestChildSpamsAfterTheExit(t *testing.T) {
	checkLeaks(t)
	c := helperCommand("leave-spammer")
	watchPid(t, &c)
	c.MaxStdout = 100
	r := runUntil(c, func(r Result) bool { return r.Stdout.Dropped > 0 || r.Duration > slack })
	if r.Status != 0 || r.Duration > slack || len(r.Stdout.Data) != 100 || r.Stdout.Dropped == 0 {
		t.Errorf("got %+v", r)
	}
}

// TestNothingWrittenIsLost checks that all output before the exit counts,
// whichever process holds the pipe.
func TestNothingWrittenIsLost(t *testing.T) {
	answer := strings.Repeat("x", 60_000) + "}"
	for range 10 {
		c := helperCommand("answer")
		watchPid(t, &c)
		c.Stdin, c.Complete = input(answer), isWhole
		r := Run(context.Background(), c)
		if string(r.Stdout.Data) != answer || string(r.Stderr.Data) != "reason\n" || r.Status != 2 {
			t.Fatalf("got %d bytes, stderr %q, status %d", len(r.Stdout.Data), r.Stderr.Data, r.Status)
		}
	}
}

func TestCompletePanics(t *testing.T) {
	if !tellsPending {
		t.Skip("Complete is not called where the content of a pipe is unknown")
	}
	checkLeaks(t)
	c := helperCommand(`leave {}`)
	watchPid(t, &c)
	c.Complete = func([]byte) bool { panic("oh") }
	r := Run(context.Background(), c)
	if r.Err == nil || !strings.Contains(r.Err.Error(), "panic: oh") {
		t.Errorf("got %+v", r)
	}
}
