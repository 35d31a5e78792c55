//go:build unix

package exec

import (
	"os"
	"testing"
	"time"
)

// TestStartThatHangs gives up a process that cannot be started in time, and
// ends it when it has started after all.
func TestStartThatHangs(t *testing.T) {
	checkLeaks(t)
	x, theirs := unstarted(t)
	begun := time.Now()
	over, stop := timeout(10 * time.Millisecond)
	defer stop()
	if why := x.wait(t.Context(), over); why != timedOut {
		t.Fatalf("ending %d", why)
	}
	var r Result
	x.end(&r)
	if took := time.Since(begun); took > 2*time.Second+slack || r.Err != nil {
		t.Errorf("took %v: %+v", took, r)
	}
	c := Command{Path: "/bin/sleep", Args: []string{"sleep", "60"}, Env: os.Environ()}
	x.child.run(&c, theirs) // returns when it is killed
	if x.child.err != nil {
		t.Error(x.child.err)
	}
}

// unstarted is an execution as begin returns it, but for the launch.
func unstarted(t *testing.T) (*execution, [3]*os.File) {
	t.Helper()
	var x execution
	var theirs [3]*os.File
	var errs [3]error
	theirs[0], x.stdin, errs[0] = openFeed(zeros(1 << 20))
	x.stdout, theirs[1], errs[1] = openCapture(10, false)
	x.stderr, theirs[2], errs[2] = openCapture(10, false)
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	x.child = &child{started: make(chan struct{}), exited: make(chan struct{}), quit: make(chan struct{})}
	return &x, theirs
}
