//go:build unix

package exec

import (
	"os"
	"testing"
	"time"
)

// testStartThatHangs gives up a process that cannot be started in time, and
// ends it once it has started.
func testStartThatHangs(t *testing.T) {
	x, err := begin(&Command{Path: "/bin/sleep", Args: []string{"sleep", "60"}, Env: os.Environ(), Stdin: zeros(1 << 20)})
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	over, stop := timeout(10 * time.Millisecond)
	defer stop()
	r := x.await(t.Context().Done(), over, make(chan servedResult))
	if took := time.Since(begun); !r.TimedOut || took > 2*time.Second+slack || r.Err != nil || r.Status != -1 {
		t.Errorf("took %v: %+v", took, r)
	}
	s := x.serve() // returns when the process is killed
	if !s.stopped || s.Err != nil || s.Signal != "SIGTERM" {
		t.Errorf("got %+v", s)
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

// TestNoProcessDescriptor waits for a process on a system without process
// descriptors.
func TestNoProcessDescriptor(t *testing.T) {
	checkLeaks(t)
	p, err := startProcess("/bin/sh", []string{"sh", "-c", "exit 7"}, "", nil, [3]int{0, 1, 2}, tied())
	if err != nil {
		t.Fatal(err)
	}
	s := &streams{stdin: -1}
	for i := range s.polled {
		s.polled[i].Fd = -1
	}
	s.polled[exitPlace].Fd = int32(p.exitPipe())
	if n := s.wait(time.Now().Add(10*time.Second), false); !n.exited {
		t.Error("its end was not reported")
	}
	s.close()
	if status, _, err := p.reap(); status != 7 || err != nil {
		t.Errorf("status %d, %v", status, err)
	}
}
